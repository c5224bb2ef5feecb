// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/store/store.h"

namespace tfprof {

// A row of Store::events while it is moved.
struct MovingRow {
  int64_t start_ps;
  int64_t duration_ps;
  LabelId label;
  uint32_t detail;
  uint32_t arrival;  // row number on arrival
  StepId step;
};

// Rows of one step in a lane, in arrival order: [first, first + count) of the lane's rows.
struct StepGroup {
  uint32_t first;
  uint32_t count;
};

// Reused between lanes for its capacity.
struct LaneOrder {
  std::vector<uint64_t> keys, scratch;
};

// Writes the rows of `lane` to their places in store->events, at lane->rows: unplaced ones first,
// in arrival order, then by start, equal starts in arrival order. Sets lane->unplaced and
// lane->step_runs, and row_of_arrival for all of them. `groups` partition `rows`.
void OrderLane(std::span<const MovingRow> rows, std::span<const StepGroup> groups, Lane* lane,
               Column<uint32_t>* row_of_arrival, LaneOrder* order, Store* store);

// Adds a row to the step runs of the lane whose first step run is `first_run`.
inline void PushStepRun(uint32_t row, StepId step, uint32_t first_run, Store* store) {
  Column<StepRun>& runs = store->step_runs;
  if (runs.size() > first_run && runs.back().step == step) return;
  runs.Push({row, step});
}

// Consecutive rows of one lane and step, as they arrived: from `first` to the `first` of the next
// run.
struct ArrivalRun {
  LaneId lane;
  StepId step;
  uint32_t first = 0;
};

// Moves the events of `store` from arrival order to their final order: lane by lane, unplaced rows
// first, then by start, equal starts in arrival order. Sets the lanes' rows, unplaced and
// step_runs, and updates the EventIds of all side tables. Cost: one pass if every lane arrived
// whole and sorted; otherwise the rows go once through a table that is half again as large as the
// events.
// `ascending`: ranges of rows that are known to be sorted by start, in row order; they are not
// checked.
// REQUIRES: if starts are not read, every lane arrived whole, in the order of lane ids.
void OrderEvents(const Column<ArrivalRun>& runs, const Column<Range>& ascending, Store* store);

}  // namespace tfprof
