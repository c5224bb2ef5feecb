// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/context.h"
#include "views/steps/classes.h"
#include "views/steps/event_groups.h"

// What the events of one host say of its steps: how long those are, and which classes are active
// when. The pieces of MeasureSteps.

namespace tfprof {

// From the start to the end of a step; end < start: none.
struct StepWindow {
  int64_t start_ps = 0;
  int64_t end_ps = -1;
  uint32_t row = 0;  // of the marker; of a hull, of one event in it
  bool some() const { return end_ps >= start_ps; }
};

// There is one for nearly every event of a device.
struct GroupedSpan {
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  uint32_t group = 0;
  StepClass of = StepClass::host_compute;
};
using SpansByLane = std::vector<std::vector<GroupedSpan>>;

// What is asked about: processes of one host and kind.
struct StepSources {
  const Store& store;
  const Indexes& indexes;
  const EventGroups& groups;
  std::vector<ProcessId> processes = {};
};

// By label of a process.
std::vector<HostText> HostTextsOf(const Store& store, const Process& process);

// Whether an event of a host marks its group; `step_name`: the column of that key.
bool IsMarker(const StepSources& of, HostText text, const DetailColumn& step_name, uint32_t row);

// The longest marker of each group, by index of EventGroups::groups. Error: cancelled.
Result<std::vector<StepWindow>> GpuWindows(const StepSources& of, Context& context);
Result<std::vector<StepWindow>> TpuWindows(const StepSources& of, Context& context);
Result<std::vector<StepWindow>> HostWindows(const StepSources& of, Context& context);

// By label of a TPU; the category of an operation is the same each time it runs. Error: cancelled.
Result<std::vector<StepClass>> ClassesOfTpu(const StepSources& of, ProcessId id, Context& context);

// The spans of the groups that have a window, in no order; spans of one class and lane that touch
// are one. Error: cancelled.
Result<SpansByLane> GpuSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                             Context& context);
Result<SpansByLane> TpuSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                             Context& context);
Result<SpansByLane> HostSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                              Context& context);

}  // namespace tfprof
