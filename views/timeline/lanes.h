// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "analysis/chosen_events.h"
#include "analysis/indexes.h"
#include "analysis/intervals/first_free.h"
#include "analysis/intervals/nesting_levels.h"
#include "analysis/rows_by_event.h"
#include "core/base/arith.h"
#include "core/query/query.h"
#include "core/report/trace_export.h"
#include "core/store/event_runs.h"
#include "core/store/names.h"
#include "views/timeline/derived.h"

// The part of a store that a timeline exports, and its tracks.

namespace tfprof {

struct ExportedLane {
  LaneId lane;
  uint32_t track = 0;          // index into Trace::tracks
  std::vector<EventRun> runs;  // of the selected steps

  bool Takes(EventId event) const {
    const auto after = std::ranges::upper_bound(runs, event.value, {}, &EventRun::first);
    return after != runs.begin() && event.value < (after - 1)->end;
  }
};

// Tracks of a process that are not in the file.
struct ExportedDerived {
  uint32_t first = 0;  // index into Trace::tracks
  DerivedTracks tracks;
};

struct ExportedLanes {
  StorePtr store;
  RowsByEvent<ExecMemory> memory;
  std::vector<ExportedLane> lanes;    // by track
  Column<uint8_t> label_is_exported;  // by label: its name and its node pass the filters
  int64_t min_ps = 0;                 // min duration of an execution
  // For traces with processes, whose steps are groups of events; in other profiles the runs have
  // only the selected step.
  ChosenEvents chosen;
  std::vector<uint32_t> group_of_process;  // index into Trace::groups, or kNoGroup
  Names derived_names;
  static constexpr uint32_t kNoGroup = 0xFFFFFFFFu;

  bool Exports(uint32_t row) const {
    const Events& events = store->events;
    return label_is_exported[events.label[row].value] != 0 && events.duration_ps[row] >= min_ps &&
           events.start_ps[row] != kNoTime && chosen.Takes(row);
  }
};
using ExportedLanesPtr = std::shared_ptr<const ExportedLanes>;

// Adds the group of a process and returns its index.
uint32_t AddGroup(const Store& store, const Process& process, Trace* trace);

// Adds groups and tracks to the trace. `derived`: gets those that are not in the file, by track.
// Error: usage, no such step.
Result<ExportedLanesPtr> ChooseLanes(const StorePtr& store, const Indexes& indexes,
                                     const Query& query, Trace* trace,
                                     std::vector<ExportedDerived>* derived, Context& context);

// One exported execution.
struct LaneRow {
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  uint32_t row = 0;
  StepId step;
  uint32_t level = 0;
};

// Reads the executions of a lane by start; equal starts by duration, descending. Levels are
// deterministic: reading a lane twice gives the same ones.
class LaneReader {
 public:
  LaneReader(const ExportedLanes& exported, const ExportedLane& lane);
  bool Next(LaneRow* row);  // false: the end

 private:
  bool Advance();  // to the next exported row, `ahead_`
  void TakeTies();

  const ExportedLanes* exported_;
  const ExportedLane* lane_;
  // Lanes of a process: the executions of a level nest, because viewers drop those of one track
  // that overlap otherwise. Lanes of run metadata: none overlap, or all are on level 0.
  enum class Levels { one, nesting, apart } levels_;
  size_t run_ = 0;
  uint32_t next_row_ = 0;
  LaneRow ahead_;
  bool has_ahead_ = false;
  std::vector<LaneRow> ties_;  // rows that start together
  size_t next_tie_ = 0;
  NestingLevels nesting_;
  FirstFree free_;
};

// Steps by track, then by start; overlapping steps are on different levels.
struct ExportedSteps {
  std::deque<std::string> names;
  std::vector<TraceSpan> spans;  // `names` owns their names
};

// Puts the steps of the store on track 0, from the first start to the last end on the exported
// lanes. Error: cancelled.
Result<ExportedSteps> ExportSteps(const ExportedLanes& exported, Context& context);

// Adds the steps of a trace that pass -step, -host and -device (analysis/steps/times.h), a track
// per host, and the group "steps" if there are any. REQUIRES: the trace has no groups yet. Error:
// cancelled.
Result<ExportedSteps> ExportHostSteps(const Store& store, const Indexes& indexes,
                                      const PlaceFilter& place, Trace* trace, Context& context);

// When a flow starts: just before the end of its span, since viewers consider it closed at the end,
// or before the target's start if the source is still running then.
inline int64_t FlowStart(int64_t start_ps, int64_t end_ps, int64_t to_ps) {
  return std::max(start_ps, SaturatingAdd(std::min(end_ps, to_ps), -kPsPerNs));
}

// Returns the flows between the lanes, ordered by the start of their targets.
Cursor<TraceFlow> TimelineFlows(ExportedLanesPtr exported);

// Returns the flows of process lanes: one per link between exported events, ordered by target.
Result<Cursor<TraceFlow>> LinkFlows(ExportedLanesPtr exported, const Indexes& indexes,
                                    Context& context);

// Adds the memory counters of the groups.
Result<Cursor<TraceSample>> TimelineCounters(const ExportedLanesPtr& exported, Trace* trace,
                                             Context& context);

// Adds the memory counters of processes: one per allocator, in the group of its device, else in the
// group of the threads that called it. A sample is the memory in use after each of its events in
// the selected step. Errors: cancelled; corrupt (a file was truncated meanwhile).
Result<Cursor<TraceSample>> AllocatorCounters(const ExportedLanesPtr& exported,
                                              const Indexes& indexes, const PlaceFilter& place,
                                              Trace* trace, Context& context);

}  // namespace tfprof
