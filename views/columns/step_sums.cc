// SPDX-License-Identifier: Apache-2.0
#include "views/columns/step_sums.h"

#include <algorithm>

#include "analysis/nodes/call_time.h"
#include "core/base/context.h"
#include "core/base/sorting.h"
#include "core/store/event_runs.h"

namespace tfprof {
namespace {

// Returns, by step of the store, its index among the selected steps, or kNoGroup.
std::vector<uint32_t> PlaceSteps(const Store& store, const PlaceFilter& place, StepSums* sums) {
  std::vector<uint32_t> index(store.steps.size(), kNoGroup);
  for (size_t i = 0; i < store.steps.size(); ++i) {
    if (!place.TakesStep(store.steps[i].number)) continue;
    index[i] = static_cast<uint32_t>(sums->steps.size());
    sums->steps.emplace_back(i);
  }
  return index;
}

}  // namespace

Result<StepSums> SumBySteps(const Store& store, const NodeAccounts& accounts,
                            std::span<const uint32_t> group_of_node, size_t groups,
                            const PlaceFilter& place, Context& context) {
  StepSums sums;
  sums.groups = groups;
  std::vector<EventRun> runs = EventRuns(store);
  StableSort(runs, {}, &EventRun::step);
  const bool accelerated = IsAccelerated(store);
  const std::vector<uint32_t> index = PlaceSteps(store, place, &sums);
  sums.time_ps.resize(sums.steps.size() * groups);
  sums.runs.resize(sums.steps.size() * groups);
  for (const EventRun& run : runs) {
    if (!run.step.some() || index[run.step.value] == kNoGroup) continue;
    if (!accounts.lane_selected[run.lane.value]) continue;
    const Lane& lane = store.lanes[run.lane.value];
    const bool accelerator = lane.measures == Measures::accelerator_time;
    const size_t first = index[run.step.value] * groups;
    for (uint32_t row = run.first; row < run.end; ++row) {
      if ((row - run.first) % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      const NodeId node = store.labels[store.events.label[row].value].node;
      if (!node.some() || group_of_node[node.value] == kNoGroup) continue;
      const bool counting = accounts.counting_lane[node.value] == run.lane;
      const bool counts =
          accelerator ? counting || !accounts.lane_counts[run.lane.value] : counting;
      if (!counts) continue;
      const size_t at = first + group_of_node[node.value];
      if (accelerator == accelerated || !place.exact) {
        sums.time_ps[at] = SaturatingAdd(sums.time_ps[at], TimeOfRow(store, lane, row, place));
      }
      if (!accelerator && store.events.start_ps[row] != kNoTime) ++sums.runs[at];
    }
  }
  if (!place.exact || accelerated) return sums;
  TFPROF_ASSIGN(const auto contained,
                ContainedTimes(store, accounts, runs, place.whole_us, context));
  for (const ContainedTime& time : contained) {
    const uint32_t group = group_of_node[time.node.value];
    if (!time.step.some() || index[time.step.value] == kNoGroup || group == kNoGroup) continue;
    int64_t& sum_ps = sums.time_ps[index[time.step.value] * groups + group];
    sum_ps = SaturatingAdd(sum_ps, -time.ps);
  }
  return sums;
}

Result<StepSums> SumBySteps(const Store& store, const NodeCosts& costs,
                            std::span<const NodeId> nodes, const PlaceFilter& place,
                            Context& context) {
  std::vector<uint32_t> group_of_node(store.nodes.size(), kNoGroup);
  for (const NodeId node : nodes) {
    if (costs.counted.Of(node) != 0) group_of_node[node.value] = 0;
  }
  return SumBySteps(store, *costs.accounts, group_of_node, 1, place, context);
}

StepSpread SpreadOf(const StepSums& sums, size_t group) {
  std::vector<int64_t> times;
  for (size_t step = 0; step < sums.steps.size(); ++step) {
    times.push_back(sums.TimePs(step, group));
  }
  if (std::ranges::all_of(times, [](int64_t ps) { return ps == 0; })) return {};
  const auto [min, max] = std::minmax_element(times.begin(), times.end());
  return {*min, Median(times), *max};
}

}  // namespace tfprof
