// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "analysis/chosen_events.h"
#include "analysis/indexes.h"
#include "analysis/intervals/first_free.h"
#include "analysis/rows_by_event.h"
#include "core/query/query.h"
#include "core/report/trace_export.h"
#include "core/store/event_runs.h"

// What of a store a timeline draws, and where.

namespace tfprof {

struct DrawnLane {
  LaneId lane;
  uint32_t track = 0;          // of Trace::tracks
  std::vector<EventRun> runs;  // of the asked steps
};

struct DrawnLanes {
  StorePtr store;
  RowsByEvent<ExecMemory> memory;
  std::vector<DrawnLane> lanes;    // by track
  Column<uint8_t> label_is_drawn;  // by label: its name and its node pass
  int64_t least_ps = 0;            // of one execution
  // Of traces with processes, whose steps are groups of events; else the runs are of the asked
  // step.
  ChosenEvents chosen;
  std::vector<uint32_t> group_of_process;  // of Trace::groups, or kNoGroup
  static constexpr uint32_t kNoGroup = 0xFFFFFFFFu;

  bool Draws(uint32_t row) const {
    const Events& events = store->events;
    return label_is_drawn[events.label[row].value] != 0 && events.duration_ps[row] >= least_ps &&
           events.start_ps[row] != kNoTime && chosen.Takes(row);
  }
};
using DrawnLanesPtr = std::shared_ptr<const DrawnLanes>;

// Adds a group per process that passes -host and -device and has events, the devices before the
// rest, and a track per lane.
void AddProcessTracks(const PlaceFilter& place, DrawnLanes* drawn, Trace* trace);

// Adds the group of a process; returns its number.
uint32_t AddGroup(const Store& store, const Process& process, Trace* trace);

// Adds groups and tracks to the trace. Error: usage, no such step.
Result<DrawnLanesPtr> ChooseLanes(const StorePtr& store, const Indexes& indexes, const Query& query,
                                  Trace* trace, Context& context);

// Executions that overlap freely get levels. Lanes of a process stay whole: each is one thread to
// viewers, as its recorder meant it.
bool Packs(const Lane& lane);

// One drawn execution.
struct LaneRow {
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  uint32_t row = 0;
  StepId step;
  uint32_t level = 0;
};

// The executions of a lane by start, of equal starts the longest first. Reading a lane twice gives
// the same levels.
class LaneReader {
 public:
  LaneReader(const DrawnLanes& drawn, const DrawnLane& lane);
  bool Next(LaneRow* row);  // false: the end

 private:
  bool Advance();  // to the next drawn row, `ahead_`
  void TakeTies();

  const DrawnLanes* drawn_;
  const DrawnLane* lane_;
  bool packs_;
  size_t run_ = 0;
  uint32_t next_row_ = 0;
  LaneRow ahead_;
  bool has_ahead_ = false;
  std::vector<LaneRow> ties_;  // that start together
  size_t next_tie_ = 0;
  FirstFree free_;
};

// Steps by track, of a track by start; those that overlap lie on levels.
struct DrawnSteps {
  std::deque<std::string> names;
  std::vector<TraceSpan> spans;  // names lie in `names`
};

// The steps of the store on track 0: from the first start to the last end on the drawn lanes.
// Error: cancelled.
Result<DrawnSteps> DrawSteps(const DrawnLanes& drawn, Context& context);

// The steps of a trace that -step, -host and -device let through (analysis/steps/times.h), a track
// per host. Adds the group "steps" where there are any. REQUIRES: the trace has no groups yet.
// Error: cancelled.
Result<DrawnSteps> DrawStepsOfHosts(const Store& store, const Indexes& indexes,
                                    const PlaceFilter& place, Trace* trace, Context& context);

// The arrows between the lanes, by the start of what they lead to.
Cursor<TraceArrow> TimelineArrows(DrawnLanesPtr drawn);

// The same for lanes of processes: an arrow per link between drawn events, by what it leads to.
Result<Cursor<TraceArrow>> LinkArrows(DrawnLanesPtr drawn, const Indexes& indexes,
                                      Context& context);

// Adds the memory counters of the groups.
Result<Cursor<TraceSample>> TimelineCounters(const DrawnLanesPtr& drawn, Trace* trace,
                                             Context& context);

// The same for processes: a counter per allocator, in the group of the device that it is of, else
// of the threads that called it; what was in use after each of its events of the asked step.
// Errors: cancelled; corrupt (a file became shorter meanwhile).
Result<Cursor<TraceSample>> AllocatorCounters(const DrawnLanesPtr& drawn, const Indexes& indexes,
                                              const PlaceFilter& place, Trace* trace,
                                              Context& context);

}  // namespace tfprof
