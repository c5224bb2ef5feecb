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

// The steps of a profile and the activity of each device in them, in one shape for files that
// record by step (RunMetadata, ProfileProto) and for traces.

namespace tfprof {

struct StepRow {
  HostId host;  // none: the file has no hosts
  int64_t number = 0;
  std::string name;
  StepOrigin origin = StepOrigin::recorded;
  int64_t start_ps = kNoTime;  // kNoTime: no placed event
  int64_t end_ps = kNoTime;
  int64_t wall_ps = kNoInt;  // StepTime::wall_ps; kNoInt in other profiles than traces
  // Sums over everything in the step: records, and durations by what they measure.
  int64_t records = 0;
  int64_t host_ps = kNoInt;
  int64_t accelerator_ps = kNoInt;

  int64_t SpanPs() const { return start_ps == kNoTime ? kNoInt : SpanOf(start_ps, end_ps); }
};

// The activity of one device, or of one host's threads, in one step. In a trace: the events of the
// step's group, wherever they are, except markers and host events that only enclose others
// (HostText::wrapper).
struct DeviceStep {
  LaneId lane;        // of step records, whose devices are lanes
  ProcessId process;  // of a trace
  uint32_t step = 0;  // row of StepTables::steps; in PlaneStepsOf, index into HostSteps::steps
  int64_t records = 0;
  int64_t unplaced = 0;  // of these, records at an unknown time
  // Sum of durations; in a trace, events enclosed on the same thread or stream do not count again.
  int64_t time_ps = 0;

  // The duration of the step on this device. Step records: that of the step. A device of a trace:
  // its event on the line Steps, if the recorder wrote one. Otherwise, since devices may run a step
  // at different times, from its first to its last event; the duration of the host's step if most
  // of that lies in it. Threads of a host: the step that they mark. kNoInt: nothing is placed; or
  // devices mark the step, and threads work for it before and after.
  int64_t step_ps = kNoInt;
  // On a device of a trace: the part of step_ps in which it only runs events of other steps or of
  // none. Steps overlap, and shared time is idle in neither. Otherwise 0.
  int64_t others_ps = 0;

  // For threads that mark the step, the fields below cover the part within it.
  int64_t busy_ps = 0;  // time in which at least one event runs
  // Part of busy_ps in which a TPU only runs async-done instructions (analysis/ops/async_done.h);
  // kNoInt: other devices do not record it.
  int64_t stalled_ps = kNoInt;
  // Part of busy_ps in which only collectives run, that is, the device exchanges data with others
  // or waits for them. kNoInt: there are no collectives.
  int64_t exchange_ps = kNoInt;
  int64_t start_ps = kNoTime;
  int64_t end_ps = kNoTime;
  LabelId first;     // the label that started first
  int64_t gaps = 0;  // gaps in which no event of any step runs, including those at both ends
  int64_t longest_gap_ps = 0;
  LabelId after_longest_gap;  // the event that ended it; none: the end of the step

  bool IsPlaced() const { return records > unplaced; }
  bool HasIdle() const { return step_ps != kNoInt; }
  // step_ps - busy_ps - others_ps: the sum of the gaps; kNoInt: !HasIdle()
  int64_t IdlePs() const;

  // Adds an event as busy time, and the time since the previous event as a gap. REQUIRES: calls in
  // order of start.
  void AddBusy(LabelId label, int64_t start, int64_t end);
  // Adds the time between an end and a start, if any, as a gap. `ended_by`: the event that starts
  // then; none: the end of the step.
  void AddGap(int64_t from_ps, int64_t to_ps, LabelId ended_by);
  // Adds the gaps before the first and after the last event.
  void AddEnds(int64_t step_start_ps, int64_t step_end_ps);
};

// Returns the name in the file.
std::string_view DeviceName(const Store& store, const DeviceStep& row);
// Returns accelerator_time for a device, host_time for the threads of a host, and nothing for step
// records that repeat other rows.
Measures MeasuresOf(const Store& store, const DeviceStep& row);
// Returns the label that ended the longest gap; null: there is none.
std::string_view GapBefore(const Store& store, const DeviceStep& row);

struct StepTables {
  std::vector<StepRow> steps;       // by host, in recorded order
  std::vector<DeviceStep> devices;  // by step, then device; devices without records are omitted
  // In a trace: the hosts of `steps`, in the same order, with the time by class.
  std::vector<HostSteps> hosts = {};
};

std::vector<StepRow> RowsOf(const std::vector<HostSteps>& hosts);

// Which rows StepTables::devices of a trace has.
enum class StepPlanes : uint8_t {
  all,
  with_idle,  // those with HasIdle: not the threads of a host with devices, which are most events
};

// Covers the places selected by -host and -device; ignores -step. Cost: one pass over the events
// of these planes. Error: cancelled.
Result<StepTables> StepTablesOf(const Store& store, const Indexes& indexes,
                                const PlaceFilter& place, StepPlanes planes, Context& context);
// Returns only the steps: no pass over the events of a trace whose steps are known.
Result<std::vector<StepRow>> StepsOf(const Store& store, const Indexes& indexes,
                                     const PlaceFilter& place, Context& context);

// Lets each step last for its wall time. One without keeps its duration.
void LastUntilNext(std::vector<StepRow>* steps);

// The time of a step of a job: the median on the host where steps take longest. The median of all
// hosts would move between those of hosts that differ. kNoInt: no step has a time.
int64_t StepTimeOf(const std::vector<StepRow>& steps);

// For a store that records by step, whatever -host and -device select. With PlaceFilter::whole_us,
// of the records and with the times that a saved profile keeps.
Result<StepTables> RecordedSteps(const Store& store, const Indexes& indexes,
                                 const PlaceFilter& place, Context& context);

}  // namespace tfprof
