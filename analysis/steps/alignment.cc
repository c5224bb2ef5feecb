// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/alignment.h"

#include <algorithm>
#include <limits>
#include <set>

#include "analysis/intervals/interval.h"
#include "analysis/steps/step_selection.h"
#include "core/base/arith.h"

namespace tfprof {
namespace {

constexpr size_t kMostWhole = 5;

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
  std::vector<uint32_t> order(steps.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<uint32_t>(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return steps[a].start_ps < steps[b].start_ps; });
  return order;
}

// How many steps later the chief has what `steps` has: the shift whose pairs overlap the longest;
// of several, the least one that is not negative, else the one next to 0.
Result<int64_t> BestShift(const Steps& steps, const Steps& chief, Context& context) {
  const auto lowest = -static_cast<int64_t>(steps.size() - 1);
  std::vector<int64_t> overlap(steps.size() + chief.size() - 1, 0);  // by shift - lowest
  const std::vector<uint32_t> ours = ByStart(steps), theirs = ByStart(chief);
  size_t begin = 0;
  for (const uint32_t i : ours) {
    TFPROF_TRY(Poll(context));
    // Steps are one after the other as a rule: what ended before this one began is done with.
    while (begin < theirs.size() && chief[theirs[begin]].EndPs() <= steps[i].start_ps) ++begin;
    for (size_t k = begin; k < theirs.size(); ++k) {
      const StepTime& other = chief[theirs[k]];
      if (other.start_ps >= steps[i].EndPs()) break;
      const int64_t common_ps = SpanOf(std::max(other.start_ps, steps[i].start_ps),
                                       std::min(other.EndPs(), steps[i].EndPs()));
      int64_t& sum = overlap[static_cast<size_t>(int64_t{theirs[k]} - int64_t{i} - lowest)];
      sum = SaturatingAdd(sum, std::max<int64_t>(common_ps, 0));
    }
  }
  int64_t best = 0, most = -1;
  const auto look = [&](int64_t shift) {
    const int64_t found = overlap[static_cast<size_t>(shift - lowest)];
    if (found > most) best = shift, most = found;
  };
  for (int64_t shift = 0; shift < static_cast<int64_t>(chief.size()); ++shift) look(shift);
  for (int64_t shift = -1; shift >= lowest; --shift) look(shift);
  return best;
}

// The host whose steps span the least time; hosts.size(): none has steps.
size_t ChiefOf(const std::vector<HostSteps>& hosts) {
  size_t chief = hosts.size();
  int64_t least_ps = std::numeric_limits<int64_t>::max();
  for (size_t i = 0; i < hosts.size(); ++i) {
    if (hosts[i].steps.empty()) continue;
    const int64_t span_ps = SpanOfAll(hosts[i].steps);
    if (chief != hosts.size() && span_ps >= least_ps) continue;
    chief = i;
    least_ps = span_ps;
  }
  return chief;
}

}  // namespace

Result<std::vector<CommonStep>> AlignSteps(const std::vector<HostSteps>& hosts, Context& context) {
  std::vector<CommonStep> common;
  const size_t chief = ChiefOf(hosts);
  if (chief == hosts.size()) return common;
  std::vector<int64_t> shifts(hosts.size(), 0);
  int64_t begin = 0, end = static_cast<int64_t>(hosts[chief].steps.size());  // of the chief's
  for (size_t i = 0; i < hosts.size(); ++i) {
    if (i == chief || hosts[i].steps.empty()) continue;
    TFPROF_ASSIGN(shifts[i], BestShift(hosts[i].steps, hosts[chief].steps, context));
    begin = std::max(begin, shifts[i]);
    end = std::min(end, shifts[i] + static_cast<int64_t>(hosts[i].steps.size()));
  }
  for (int64_t of_chief = begin; of_chief < end; ++of_chief) {
    CommonStep& step = common.emplace_back();
    step.number = of_chief - begin;
    for (size_t i = 0; i < hosts.size(); ++i) {
      const bool there = !hosts[i].steps.empty();
      step.step.push_back(there ? static_cast<uint32_t>(of_chief - shifts[i])
                                : CommonStep::kNotThere);
    }
  }
  return common;
}

bool DropIncomplete(std::vector<HostSteps>* hosts) {
  bool any = false;
  for (HostSteps& host : *hosts) {
    if (host.steps.size() <= kMostWhole) continue;
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

Result<std::vector<CommonStep>> StepsAsked(const Store& store, const std::vector<HostSteps>& hosts,
                                           std::vector<CommonStep> common,
                                           const PlaceFilter& place) {
  if (place.step < 0 || !store.IsTrace()) return common;
  std::set<int64_t> numbers;
  const auto is_other = [&](const CommonStep& step) {
    bool takes = false;
    for (size_t i = 0; i < hosts.size(); ++i) {
      if (step.step[i] == CommonStep::kNotThere) continue;
      const int64_t number = hosts[i].steps[step.step[i]].number;
      numbers.insert(number);
      takes = takes || place.TakesStep(number);
    }
    return !takes;
  };
  common.erase(std::remove_if(common.begin(), common.end(), is_other), common.end());
  if (!common.empty()) return common;
  return NoSuchStep(place, {numbers.begin(), numbers.end()},
                    hosts.size() > 1 ? "that all hosts have" : "");
}

}  // namespace tfprof
