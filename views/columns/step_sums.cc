// SPDX-License-Identifier: Apache-2.0
#include "views/columns/step_sums.h"

#include <algorithm>

#include "core/base/context.h"
#include "core/base/sorting.h"
#include "core/store/event_runs.h"

namespace tfprof {
namespace {

// Returns, by step of the store, its index among the selected steps, or kNoGroup.
std::vector<uint32_t> PlaceSteps(const Store& store, const std::vector<EventRun>& runs,
                                 const PlaceFilter& place, StepSums* sums) {
  std::vector<bool> has(store.steps.size());
  for (const EventRun& run : runs) {
    if (run.step.some()) has[run.step.value] = true;
  }
  std::vector<uint32_t> index(store.steps.size(), kNoGroup);
  for (size_t i = 0; i < store.steps.size(); ++i) {
    if (!has[i] || !place.TakesStep(store.steps[i].number)) continue;
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
  const std::vector<EventRun> runs = EventRuns(store);
  const std::vector<uint32_t> index = PlaceSteps(store, runs, place, &sums);
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
      sums.time_ps[at] = SaturatingAdd(sums.time_ps[at], TimeOfRow(store, lane, row));
      if (!accelerator && store.events.start_ps[row] != kNoTime) ++sums.runs[at];
    }
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
    if (sums.TimePs(step, group) > 0) times.push_back(sums.TimePs(step, group));
  }
  if (times.empty()) return {};
  const auto [min, max] = std::minmax_element(times.begin(), times.end());
  return {*min, Median(times), *max};
}

}  // namespace tfprof
