// SPDX-License-Identifier: Apache-2.0
#include "views/steps/slow_host.h"

#include <algorithm>

#include "analysis/steps/thresholds.h"
#include "core/base/sorting.h"

namespace tfprof {
namespace {

// REQUIRES: the host has steps.
int64_t MeanPs(const StepAnswer& steps, size_t host) {
  int64_t sum_ps = 0;
  for (const CommonStep& common : steps.common) {
    sum_ps = SaturatingAdd(sum_ps, steps.hosts[host].steps[common.step[host]].duration_ps);
  }
  return sum_ps / static_cast<int64_t>(steps.common.size());
}

}  // namespace

bool RunInStep(const StepAnswer& steps) {
  size_t together = 0;
  for (const CommonStep& common : steps.common) {
    int64_t start_ps = kMinPs, end_ps = kMaxPs;
    for (size_t i = 0; i < steps.hosts.size(); ++i) {
      if (common.step[i] == CommonStep::kNotThere) continue;
      const StepTime& step = steps.hosts[i].steps[common.step[i]];
      start_ps = std::max(start_ps, step.start_ps);
      end_ps = std::min(end_ps, step.EndPs());
    }
    together += start_ps < end_ps;
  }
  return 2 * together > steps.common.size();
}

SlowHost FindSlowHost(const StepAnswer& steps) {
  if (!steps.is_one_run || steps.common.empty()) return {};
  std::vector<int64_t> means_ps;
  SlowHost found;
  for (size_t i = 0; i < steps.hosts.size(); ++i) {
    if (steps.common[0].step[i] == CommonStep::kNotThere) continue;  // it has no steps
    means_ps.push_back(MeanPs(steps, i));
    if (found.host != nullptr && means_ps.back() <= found.mean_ps) continue;
    found.host = &steps.hosts[i];
    found.mean_ps = means_ps.back();
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
