// SPDX-License-Identifier: Apache-2.0
#include "views/steps/slow_host.h"

#include <algorithm>

#include "analysis/steps/thresholds.h"
#include "core/base/sorting.h"

namespace tfprof {
namespace {

bool HaveWallTimes(const StepAnswer& steps, const CommonStep& common) {
  for (size_t i = 0; i < steps.hosts.size(); ++i) {
    const uint32_t step = common.step[i];
    if (step != CommonStep::kNotThere && steps.hosts[i].steps[step].wall_ps == kNoInt) return false;
  }
  return true;
}

// The steps of a host that those of others compare with: the wall time of each is known.
std::vector<StepTime> ComparedSteps(const StepAnswer& steps, size_t host) {
  std::vector<StepTime> compared = steps.hosts[host].steps;
  if (steps.common.empty()) {
    std::erase_if(compared, [](const StepTime& step) { return step.wall_ps == kNoInt; });
    return compared;
  }
  compared.clear();
  for (const CommonStep& common : steps.common) {
    const uint32_t step = common.step[host];
    if (step == CommonStep::kNotThere || !HaveWallTimes(steps, common)) continue;
    compared.push_back(steps.hosts[host].steps[step]);
  }
  return compared;
}

// REQUIRES: there are steps.
int64_t MeanPs(const std::vector<StepTime>& steps) {
  int64_t sum_ps = 0;
  for (const StepTime& step : steps) sum_ps = SaturatingAdd(sum_ps, step.wall_ps);
  return sum_ps / static_cast<int64_t>(steps.size());
}

// How much further apart two hosts get from the first common step to the last one.
int64_t DriftPs(const StepAnswer& steps) {
  const auto start_of = [&](const CommonStep& common, size_t host) {
    return steps.hosts[host].steps[common.step[host]].start_ps;
  };
  const CommonStep &first = steps.common.front(), &last = steps.common.back();
  int64_t least_ps = kMaxPs, most_ps = kMinPs;
  for (size_t i = 0; i < steps.hosts.size(); ++i) {
    if (first.step[i] == CommonStep::kNotThere) continue;
    const int64_t passed_ps = start_of(last, i) - start_of(first, i);
    least_ps = std::min(least_ps, passed_ps);
    most_ps = std::max(most_ps, passed_ps);
  }
  return most_ps - least_ps;
}

}  // namespace

bool RunInStep(const StepAnswer& steps) {
  size_t fewest = steps.recorded;
  for (const HostSteps& host : steps.hosts) {
    if (!host.steps.empty()) fewest = std::min(fewest, host.steps.size());
  }
  if (steps.common.empty() || 2 * steps.common.size() < fewest) return false;
  size_t together = 0;
  int64_t shortest_ps = kMaxPs;
  for (const CommonStep& common : steps.common) {
    int64_t start_ps = kMinPs, end_ps = kMaxPs;
    for (size_t i = 0; i < steps.hosts.size(); ++i) {
      if (common.step[i] == CommonStep::kNotThere) continue;
      const StepTime& step = steps.hosts[i].steps[common.step[i]];
      start_ps = std::max(start_ps, step.start_ps);
      end_ps = std::min(end_ps, SaturatingAdd(step.start_ps, step.UntilNextPs()));
      shortest_ps = std::min(shortest_ps, step.UntilNextPs());
    }
    together += start_ps < end_ps;
  }
  return 2 * together > steps.common.size() && DriftPs(steps) < shortest_ps;
}

SlowHost FindSlowHost(const StepAnswer& steps) {
  if (!steps.is_one_run) return {};
  std::vector<int64_t> means_ps;
  SlowHost found;
  for (size_t i = 0; i < steps.hosts.size(); ++i) {
    const std::vector<StepTime> compared = ComparedSteps(steps, i);
    if (compared.empty()) continue;
    means_ps.push_back(MeanPs(compared));
    if (found.host != nullptr && means_ps.back() <= found.mean_ps) continue;
    found.host = &steps.hosts[i];
    found.mean_ps = means_ps.back();
    found.longest = *std::ranges::max_element(compared, {}, &StepTime::wall_ps);
  }
  if (means_ps.size() < 2) return {};
  means_ps.erase(std::max_element(means_ps.begin(), means_ps.end()));
  found.others = means_ps.size();
  found.others_ps = Median(std::move(means_ps));
  if (!(found.Times() >= kSlowestHost)) return {};
  found.in_step = RunInStep(steps);
  return found;
}

}  // namespace tfprof
