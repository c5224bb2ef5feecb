// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/executions.h"

#include <algorithm>
#include <span>

#include "analysis/nodes/call_time.h"
#include "core/base/sorting.h"
#include "core/store/event_runs.h"

namespace tfprof {
namespace {

// What a node did in one step.
struct InStep {
  int64_t runs = 0;     // executions on hosts
  int64_t records = 0;  // of the devices whose times count
  int64_t ps = 0;       // of these
};

class Collecting {
 public:
  Collecting(const Store& store, const NodeAccounts& accounts, const PlaceFilter& place)
      : store_(store),
        accounts_(accounts),
        place_(place),
        accelerated_(IsAccelerated(store)),
        in_step_(store.nodes.size()) {}

  void AddRun(const EventRun& run) {
    const Lane& lane = store_.lanes[run.lane.value];
    const bool accelerator = lane.measures == Measures::accelerator_time;
    for (uint32_t row = run.first; row < run.end; ++row) {
      const NodeId node = store_.labels[store_.events.label[row].value].node;
      if (!node.some() || store_.events.start_ps[row] == kNoTime) continue;
      const bool counting = accounts_.counting_lane[node.value] == run.lane;
      const bool counts =
          accelerator ? counting || !accounts_.lane_counts[run.lane.value] : counting;
      if (!counts) continue;
      InStep& sum = in_step_[node.value];
      if (sum.runs == 0 && sum.records == 0) ran_.push_back(node);
      if (!accelerator) ++sum.runs;
      if (accelerator != accelerated_) continue;
      const int64_t ps = TimeOfRow(store_, lane, row, place_);
      ++sum.records;
      sum.ps = SaturatingAdd(sum.ps, ps);
      parts_.push_back({node.value, ps});
    }
  }

  // `contained`: of the step.
  void EndStep(std::span<const ContainedTime> contained, NodeExecutions* found) {
    for (const ContainedTime& time : contained) {
      InStep& sum = in_step_[time.node.value];
      if (sum.records > 1) found->SetUnknown(time.node);
      if (sum.records > 0) sum.ps = SaturatingAdd(sum.ps, -time.ps);
    }
    for (const RowDuration& part : parts_) {
      const InStep& sum = in_step_[part.row];
      if (sum.runs > 1 && sum.records == sum.runs) found->durations.push_back(part);
    }
    for (const NodeId node : ran_) {
      InStep& sum = in_step_[node.value];
      const bool ran_once = sum.runs <= 1;
      if (sum.records > 0 && ran_once) found->durations.push_back({node.value, sum.ps});
      if (sum.records > 0 && !ran_once && sum.records != sum.runs) found->SetUnknown(node);
      sum = {};
    }
    parts_.clear();
    ran_.clear();
  }

 private:
  const Store& store_;
  const NodeAccounts& accounts_;
  const PlaceFilter& place_;
  const bool accelerated_;
  std::vector<InStep> in_step_;     // by node
  std::vector<NodeId> ran_;         // in the step
  std::vector<RowDuration> parts_;  // likewise, by node: single records
};

// Returns the runs of the selected steps and devices, by step.
std::vector<EventRun> SelectedRuns(const Store& store, const NodeAccounts& accounts,
                                   const PlaceFilter& place) {
  std::vector<EventRun> runs = EventRuns(store);
  std::erase_if(runs, [&](const EventRun& run) {
    return !run.step.some() || !place.TakesStep(store.steps[run.step.value].number) ||
           !accounts.lane_selected[run.lane.value];
  });
  StableSort(runs, {}, &EventRun::step);
  return runs;
}

}  // namespace

Result<NodeExecutions> ExecutionsOfNodes(const Store& store, const NodeAccounts& accounts,
                                         const PlaceFilter& place, Context& context) {
  NodeExecutions found;
  const std::vector<EventRun> runs = SelectedRuns(store, accounts, place);
  std::vector<ContainedTime> contained;
  if (place.exact && !IsAccelerated(store)) {
    TFPROF_ASSIGN(contained, ContainedTimes(store, accounts, runs, place.whole_us, context));
    StableSort(contained, {}, &ContainedTime::step);
  }
  Collecting collecting(store, accounts, place);
  for (size_t i = 0; i < runs.size(); ++i) {
    TFPROF_TRY(Poll(context));
    collecting.AddRun(runs[i]);
    if (i + 1 < runs.size() && runs[i + 1].step == runs[i].step) continue;
    const auto first = std::ranges::lower_bound(contained, runs[i].step, {}, &ContainedTime::step);
    const auto last = std::ranges::upper_bound(contained, runs[i].step, {}, &ContainedTime::step);
    collecting.EndStep(std::span(first, last), &found);
  }
  return found;
}

}  // namespace tfprof
