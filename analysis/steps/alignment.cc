// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/alignment.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "analysis/intervals/interval.h"
#include "analysis/steps/step_selection.h"
#include "core/base/arith.h"
#include "core/base/sorting.h"

namespace tfprof {
namespace {

constexpr size_t kMaxUntrimmed = 5;

using Steps = std::vector<StepTime>;

int64_t SpanOfAll(const Steps& steps) {
  int64_t start_ps = steps.front().start_ps, end_ps = steps.front().EndPs();
  for (const StepTime& step : steps) {
    start_ps = std::min(start_ps, step.start_ps);
    end_ps = std::max(end_ps, step.EndPs());
  }
  return SpanOf(start_ps, end_ps);
}

std::vector<uint32_t> ByStart(const Steps& steps) {
  return StableOrder(steps.size(),
                     [&](uint32_t a, uint32_t b) { return steps[a].start_ps < steps[b].start_ps; });
}

// Returns how many steps to shift `steps` to match the reference host's: the shift whose pairs
// overlap the longest; of several, the smallest that is not negative, else the one next to 0.
Result<int64_t> BestShift(const Steps& steps, const Steps& reference, Context& context) {
  const auto lowest = -static_cast<int64_t>(steps.size() - 1);
  std::vector<int64_t> overlap(steps.size() + reference.size() - 1, 0);  // by shift - lowest
  const std::vector<uint32_t> ours = ByStart(steps), theirs = ByStart(reference);
  size_t begin = 0;
  for (const uint32_t i : ours) {
    TFPROF_TRY(Poll(context));
    // Steps are usually sequential: steps that ended before this one started need no further check.
    while (begin < theirs.size() && reference[theirs[begin]].EndPs() <= steps[i].start_ps) ++begin;
    for (size_t k = begin; k < theirs.size(); ++k) {
      const StepTime& other = reference[theirs[k]];
      if (other.start_ps >= steps[i].EndPs()) break;
      const int64_t common_ps = SpanOf(std::max(other.start_ps, steps[i].start_ps),
                                       std::min(other.EndPs(), steps[i].EndPs()));
      int64_t& sum = overlap[static_cast<size_t>(int64_t{theirs[k]} - int64_t{i} - lowest)];
      sum = SaturatingAdd(sum, std::max<int64_t>(common_ps, 0));
    }
  }
  int64_t best = 0, max = -1;
  const auto look = [&](int64_t shift) {
    const int64_t found = overlap[static_cast<size_t>(shift - lowest)];
    if (found > max) best = shift, max = found;
  };
  for (int64_t shift = 0; shift < static_cast<int64_t>(reference.size()); ++shift) look(shift);
  for (int64_t shift = -1; shift >= lowest; --shift) look(shift);
  return best;
}

// Returns the host whose steps span the least time; hosts.size(): no host has steps.
size_t ReferenceHost(const std::vector<HostSteps>& hosts) {
  size_t reference = hosts.size();
  int64_t min_ps = std::numeric_limits<int64_t>::max();
  for (size_t i = 0; i < hosts.size(); ++i) {
    if (hosts[i].steps.empty()) continue;
    const int64_t span_ps = SpanOfAll(hosts[i].steps);
    if (reference != hosts.size() && span_ps >= min_ps) continue;
    reference = i;
    min_ps = span_ps;
  }
  return reference;
}

}  // namespace

Result<std::vector<CommonStep>> AlignSteps(const std::vector<HostSteps>& hosts, Context& context) {
  std::vector<CommonStep> common;
  const size_t reference = ReferenceHost(hosts);
  if (reference == hosts.size()) return common;
  std::vector<int64_t> shifts(hosts.size(), 0);
  // in steps of the reference host
  int64_t begin = 0, end = static_cast<int64_t>(hosts[reference].steps.size());
  for (size_t i = 0; i < hosts.size(); ++i) {
    if (i == reference || hosts[i].steps.empty()) continue;
    TFPROF_ASSIGN(shifts[i], BestShift(hosts[i].steps, hosts[reference].steps, context));
    begin = std::max(begin, shifts[i]);
    end = std::min(end, shifts[i] + static_cast<int64_t>(hosts[i].steps.size()));
  }
  for (int64_t of_reference = begin; of_reference < end; ++of_reference) {
    CommonStep& step = common.emplace_back();
    step.number = of_reference - begin;
    for (size_t i = 0; i < hosts.size(); ++i) {
      const bool there = !hosts[i].steps.empty();
      step.step.push_back(there ? static_cast<uint32_t>(of_reference - shifts[i])
                                : CommonStep::kNotThere);
    }
  }
  return common;
}

bool DropIncomplete(std::vector<HostSteps>* hosts) {
  bool any = false;
  for (HostSteps& host : *hosts) {
    if (host.steps.size() <= kMaxUntrimmed) continue;
    host.steps.erase(host.steps.begin());
    host.steps.pop_back();
    any = true;
  }
  return any;
}

size_t SlowestHost(const std::vector<HostSteps>& hosts, const CommonStep& step) {
  size_t slowest = hosts.size();
  int64_t longest_ps = -1;
  for (size_t i = 0; i < hosts.size(); ++i) {
    if (step.step[i] == CommonStep::kNotThere) continue;
    const int64_t duration_ps = hosts[i].steps[step.step[i]].duration_ps;
    if (duration_ps > longest_ps) slowest = i, longest_ps = duration_ps;
  }
  return slowest;
}

Result<std::vector<CommonStep>> SelectedSteps(const Store& store,
                                              const std::vector<HostSteps>& hosts,
                                              std::vector<CommonStep> common,
                                              const PlaceFilter& place) {
  if (place.step < 0 || !store.IsTrace()) return common;
  struct Place {
    size_t step = 0;  // of common
    int64_t hosts = 0;
  };
  std::map<int64_t, Place> most;  // by number: where most hosts have it
  for (size_t at = 0; at < common.size(); ++at) {
    std::map<int64_t, int64_t> count;  // of hosts, by number
    for (size_t i = 0; i < hosts.size(); ++i) {
      if (common[at].step[i] == CommonStep::kNotThere) continue;
      ++count[hosts[i].steps[common[at].step[i]].number];
    }
    for (const auto& [number, of] : count) {
      Place& best = most[number];
      if (of > best.hosts) best = {at, of};
    }
  }
  std::set<size_t> taken;
  std::vector<int64_t> numbers;
  for (const auto& [number, best] : most) {
    numbers.push_back(number);
    if (place.TakesStep(number)) taken.insert(best.step);
  }
  std::vector<CommonStep> selected;
  for (const size_t at : taken) selected.push_back(std::move(common[at]));
  if (!selected.empty()) return selected;
  return NoSuchStep(place, numbers, hosts.size() > 1 ? "that all hosts have" : "");
}

}  // namespace tfprof
