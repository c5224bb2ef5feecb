// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "analysis/intervals/interval.h"
#include "analysis/steps/times.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

// The steps of a profile and what each device did in them: one shape for files that record by step
// (RunMetadata, ProfileProto) and for traces.

namespace tfprof {

// How it is known that this is a step.
enum class StepOrigin : uint8_t {
  recorded,  // the file keeps its records by step
  marked,    // the program or the recorder marked it in a trace
  inferred,  // from what repeats
};

struct StepRow {
  HostId host;  // none: the file has no hosts
  int64_t number = 0;
  std::string name;
  StepOrigin origin = StepOrigin::recorded;
  int64_t start_ps = kNoTime;  // kNoTime: nothing in it is placed
  int64_t end_ps = kNoTime;
  // Of all that ran in it: records, and durations by what they measure, added up.
  int64_t records = 0;
  int64_t host_ps = kNoInt;
  int64_t accelerator_ps = kNoInt;

  int64_t SpanPs() const { return start_ps == kNoTime ? kNoInt : SpanOf(start_ps, end_ps); }
};

// What one device, or the threads of one host, did in one step. Of a trace that is the events of
// the step's group, wherever they lie, but for markers and other events of a host that only enclose
// what has the time (HostText::wrapper).
struct DeviceStep {
  LaneId lane;        // of step records, whose devices are lanes; else
  ProcessId process;  // of a trace
  uint32_t step = 0;  // row of StepTables::steps; in PlaneStepsOf of HostSteps::steps
  int64_t records = 0;
  int64_t unplaced = 0;  // of them: ran, when is unknown
  // Durations added up; of a trace what lies within another event of its thread or stream not
  // again.
  int64_t time_ps = 0;

  // How long the step lasts here. Of step records: as long as the step. Of a device of a trace: its
  // event of the line Steps, where the recorder wrote one. Else, since devices may do a step at
  // different moments, from its first to its last event; as long as the step of the host where the
  // greater part of that lies in it. Of a host's threads the step that they mark. kNoInt: nothing
  // is placed, or devices mark the step, and threads work for it before and after.
  int64_t step_ps = kNoInt;
  // Of a device of a trace: of that, when it runs only what is of other steps or of none: steps
  // overlap, and what they have in common is idle in none of them. Else 0.
  int64_t others_ps = 0;

  // The rest is, of threads that mark the step, of what lies in it.
  int64_t busy_ps = 0;  // in which at least one event runs
  // Of it, in which a TPU only awaits what runs beside its operations (analysis/ops/async_done.h);
  // kNoInt: others do not record that.
  int64_t waiting_ps = kNoInt;
  // Of it, in which nothing runs but collectives, that is while it exchanges data with other
  // devices or waits until they are there. kNoInt: there are none.
  int64_t exchange_ps = kNoInt;
  int64_t start_ps = kNoTime;
  int64_t end_ps = kNoTime;
  LabelId first;     // what began first
  int64_t gaps = 0;  // times of the step when none runs, of others neither; those at its ends too
  int64_t longest_gap_ps = 0;
  LabelId after_longest_gap;  // what ended it; none: the end of the step

  bool IsPlaced() const { return records > unplaced; }
  bool HasIdle() const { return step_ps != kNoInt; }
  // step_ps - busy_ps - others_ps: the gaps together; kNoInt: !HasIdle()
  int64_t IdlePs() const;

  // Counts what ran as busy, and the time since what ran before as a gap. REQUIRES: calls in order
  // of start.
  void AddBusy(LabelId label, int64_t start, int64_t end);
  // Counts the time between an end and a start, if there is any, as a gap. `ended_by`: what starts
  // then; none: the end of the step.
  void AddGap(int64_t from_ps, int64_t to_ps, LabelId ended_by);
  // The gaps before the first and after the last event.
  void AddEnds(int64_t step_start_ps, int64_t step_end_ps);
};

// As the file names it.
std::string_view DeviceName(const Store& store, const DeviceStep& row);
// accelerator_time: a device; host_time: the threads of a host; nothing: of step records, what
// repeats other rows.
Measures MeasuresOf(const Store& store, const DeviceStep& row);
// What ended the longest gap; null: there is none.
std::string_view GapBefore(const Store& store, const DeviceStep& row);

struct StepTables {
  std::vector<StepRow> steps;       // by host, then as recorded
  std::vector<DeviceStep> devices;  // by step, then device; those without records are left out
  // Of a trace: the hosts of `steps`, in the same order, with what their steps were spent on.
  std::vector<HostSteps> hosts = {};
};

std::vector<StepRow> RowsOf(const std::vector<HostSteps>& hosts);

// Of everything at the places that -host and -device let through; -step is not looked at. Cost: one
// pass over the events. Error: cancelled.
Result<StepTables> StepTablesOf(const Store& store, const Indexes& indexes,
                                const PlaceFilter& place, Context& context);
// The steps alone, without what ran in them: costs no pass over the events of a trace whose steps
// are known.
Result<std::vector<StepRow>> StepsOf(const Store& store, const Indexes& indexes,
                                     const PlaceFilter& place, Context& context);

// Of a store that records by step.
Result<StepTables> RecordedSteps(const Store& store, Context& context);

}  // namespace tfprof
