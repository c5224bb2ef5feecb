// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/indexes.h"
#include "analysis/nodes/accounting.h"
#include "analysis/steps/step_table.h"
#include "core/base/context.h"
#include "core/base/sorting.h"
#include "core/query/query.h"
#include "core/store/event_runs.h"
#include "core/store/rounded_time.h"
#include "core/store/store.h"

namespace tfprof {
namespace {

// The records that count, with the times that count.
struct Records {
  const Store& store;
  const PlaceFilter& place;
  IndexPtr<NodeAccounts> accounts;  // with PlaceFilter::whole_us

  // With whole_us, those that a saved profile keeps: of nodes, on accelerators and on the first
  // executor of each node.
  bool Counts(LaneId lane, uint32_t row) const {
    if (!place.whole_us) return true;
    const NodeId node = store.labels[store.events.label[row].value].node;
    if (!node.some()) return false;
    const bool on_accelerator = store.lanes[lane.value].measures == Measures::accelerator_time;
    return on_accelerator || accounts->counting_lane[node.value] == lane;
  }
  int64_t StartPs(uint32_t row) const {
    return place.whole_us ? RoundedStart(store, row) : store.events.start_ps[row];
  }
  int64_t DurationPs(LaneId lane, uint32_t row) const {
    if (!place.whole_us) return store.events.duration_ps[row];
    return TimeOfRow(store, store.lanes[lane.value], row, place);
  }
};

// REQUIRES: rows in order of start.
void AddRow(const Records& records, LaneId lane, uint32_t row, DeviceStep* sum) {
  ++sum->records;
  const int64_t start_ps = records.StartPs(row);
  if (start_ps == kNoTime) {
    ++sum->unplaced;
    return;
  }
  const int64_t duration_ps = records.DurationPs(lane, row);
  sum->time_ps = SaturatingAdd(sum->time_ps, duration_ps);
  sum->AddBusy(records.store.events.label[row], start_ps, SaturatingAdd(start_ps, duration_ps));
}

void Include(const DeviceStep& row, StepRow* step) {
  if (!row.IsPlaced()) return;
  const bool first = step->start_ps == kNoTime;
  step->start_ps = first ? row.start_ps : std::min(step->start_ps, row.start_ps);
  step->end_ps = first ? row.end_ps : std::max(step->end_ps, row.end_ps);
}

// A saved profile declares the end of an execution of 0 us one later.
Result<void> IncludeDeclaredEnds(const Store& store, const std::vector<EventRun>& runs,
                                 std::vector<StepRow>* steps, Context& context) {
  for (const EventRun& run : runs) {
    int64_t& end_ps = (*steps)[run.step.value].end_ps;
    for (uint32_t row = run.first; row < run.end; ++row) {
      if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      const int64_t start_ps = store.events.start_ps[row];
      if (start_ps == kNoTime || store.events.duration_ps[row] != 0) continue;
      end_ps = std::max(end_ps, SaturatingAdd(start_ps, kPsPerUs));
    }
  }
  return {};
}

}  // namespace

Result<StepTables> RecordedSteps(const Store& store, const Indexes& indexes,
                                 const PlaceFilter& place, Context& context) {
  Records records{store, place, {}};
  if (place.whole_us) {
    TFPROF_ASSIGN(records.accounts, indexes.Get<NodeAccounts>(NodeAccounts::Key(), context));
  }
  std::vector<EventRun> runs = EventRuns(store);
  std::erase_if(runs, [](const EventRun& run) { return !run.step.some(); });
  // Runs of one lane and step are in order of rows, and so of start.
  StableSort(runs, [](const EventRun& a, const EventRun& b) {
    return a.step != b.step ? a.step < b.step : a.lane < b.lane;
  });
  const bool rounds_up = std::ranges::any_of(store.sources, &Source::rounds_up);
  StepTables found;
  for (const Step& step : store.steps) {
    found.steps.push_back({.number = step.number, .name = std::to_string(step.number)});
  }
  for (const EventRun& run : runs) {
    for (uint32_t row = run.first; row < run.end; ++row) {
      if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      if (!records.Counts(run.lane, row)) continue;
      const bool is_new = found.devices.empty() || found.devices.back().lane != run.lane ||
                          found.devices.back().step != run.step.value;
      if (is_new) found.devices.push_back({.lane = run.lane, .step = run.step.value});
      AddRow(records, run.lane, row, &found.devices.back());
    }
  }
  for (const DeviceStep& row : found.devices) Include(row, &found.steps[row.step]);
  if (rounds_up && !place.whole_us)
    TFPROF_TRY(IncludeDeclaredEnds(store, runs, &found.steps, context));
  for (DeviceStep& row : found.devices) {
    if (!row.IsPlaced()) continue;
    const StepRow& step = found.steps[row.step];
    row.step_ps = step.SpanPs();
    row.AddEnds(step.start_ps, step.end_ps);
  }
  return found;
}

}  // namespace tfprof
