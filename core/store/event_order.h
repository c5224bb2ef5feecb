// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/store/store.h"

namespace tfprof {

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
