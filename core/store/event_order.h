// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/store/store.h"

namespace tfprof {

// Consecutive rows, as they arrived, of one lane and step: from `first` to the next run's.
struct ArrivalRun {
  LaneId lane;
  StepId step;
  uint32_t first = 0;
};

// Brings the events of `store` from arrival order into their final order: lane by lane, unplaced
// rows first, then by start, equal starts as they arrived. Sets the lanes' rows, unplaced and
// step_runs, and moves the EventIds of all side tables along. Cost is one pass when every lane
// arrived whole and sorted; what is not goes once through a table of rows that is half again as
// large as the events.
// `ascending`: stretches of rows that are known to be sorted by start, in the order of rows; they
// are not looked at.
// REQUIRES: where starts are not read, every lane arrived whole, in the order of their ids.
void OrderEvents(const Column<ArrivalRun>& runs, const Column<Range>& ascending, Store* store);

}  // namespace tfprof
