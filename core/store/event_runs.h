// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

#include "core/store/store.h"

namespace tfprof {

// Consecutive rows of one lane and one step.
struct EventRun {
  uint32_t first = 0;
  uint32_t end = 0;
  LaneId lane;
  StepId step;  // none: no step
};

// The runs of all events, ascending by row, without gaps.
inline std::vector<EventRun> EventRuns(const Store& store) {
  std::vector<EventRun> runs;
  for (size_t i = 0; i < store.lanes.size(); ++i) {
    const Lane& lane = store.lanes[i];
    uint32_t at = lane.rows.first;
    const uint32_t end = at + lane.rows.count;
    StepId step;
    for (const StepRun& run : store.step_runs.Rows(lane.step_runs.first, lane.step_runs.count)) {
      if (run.first_row > at) runs.push_back({at, run.first_row, LaneId(i), step});
      at = run.first_row;
      step = run.step;
    }
    if (end > at) runs.push_back({at, end, LaneId(i), step});
  }
  std::sort(runs.begin(), runs.end(),
            [](const EventRun& a, const EventRun& b) { return a.first < b.first; });
  return runs;
}

// The run that contains `event`. REQUIRES: there is one.
inline const EventRun& RunOf(const std::vector<EventRun>& runs, EventId event) {
  const auto after =
      std::upper_bound(runs.begin(), runs.end(), event.value,
                       [](uint32_t row, const EventRun& run) { return row < run.first; });
  return *(after - 1);
}

}  // namespace tfprof
