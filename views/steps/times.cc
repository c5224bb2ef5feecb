// SPDX-License-Identifier: Apache-2.0
#include "views/steps/times.h"

#include <algorithm>

#include "views/indexes.h"
#include "views/place.h"
#include "views/steps/lane_steps.h"
#include "views/steps/spans.h"

namespace tfprof {
namespace {

bool DidAnything(const Store& store, const Process& process, Measures measures) {
  for (uint32_t i = 0; i < process.lanes.count; ++i) {
    const Lane& lane = store.lanes[process.lanes.first + i];
    if (lane.measures == measures && lane.rows.count > 0) return true;
  }
  return false;
}

DeviceKind KindOf(const Store& store, const Process& process) {
  return process.device.some() ? store.devices[process.device.value].kind : DeviceKind::other;
}

// The processes of a host that tell its steps: its devices of one kind, else its threads.
DeviceKind ChooseProcesses(const Query& query, HostId host, StepSources* of) {
  DeviceKind kind = DeviceKind::other;
  std::vector<ProcessId> threads;
  for (size_t i = 0; i < of->store.processes.size(); ++i) {
    const Process& process = of->store.processes[i];
    if (process.host != host || !InPlace(of->store, process, query)) continue;
    if (process.kind == ProcessKind::host) threads.push_back(ProcessId(i));
    const DeviceKind of_process = KindOf(of->store, process);
    if (of_process == DeviceKind::other) continue;
    if (!DidAnything(of->store, process, Measures::accelerator_time)) continue;
    if (kind == DeviceKind::other) kind = of_process;
    if (of_process == kind) of->processes.push_back(ProcessId(i));
  }
  if (kind == DeviceKind::other) of->processes = std::move(threads);
  return kind;
}

// The events of GPUs are run through once for all that groups, windows and spans ask of them.
Result<void> ReadAhead(const Store& store, const Indexes& indexes, Context& context) {
  constexpr std::string_view kKeys[] = {"group", "work", "correlation", "shape"};
  for (size_t i = 0; i < store.processes.size(); ++i) {
    if (KindOf(store, store.processes[i]) != DeviceKind::gpu) continue;
    TFPROF_TRY(indexes.Details(ProcessId(i), kKeys, context));
  }
  return {};
}

Result<std::vector<StepWindow>> Windows(const StepSources& of, DeviceKind kind, Context& context) {
  if (kind == DeviceKind::gpu) return GpuWindows(of, context);
  if (kind == DeviceKind::tpu) return TpuWindows(of, context);
  return HostWindows(of, context);
}

Result<SpansByLane> Spans(const StepSources& of, DeviceKind kind,
                          const std::vector<StepWindow>& windows, Context& context) {
  if (kind == DeviceKind::gpu) return GpuSpans(of, windows, context);
  if (kind == DeviceKind::tpu) return TpuSpans(of, windows, context);
  return HostSpans(of, windows, context);
}

Result<std::string> NameOf(const StepSources& of, DeviceKind kind, const EventGroup& group,
                           const StepWindow& window, Context& context) {
  const Store& store = of.store;
  if (kind == DeviceKind::gpu) return std::to_string(group.number);
  if (kind == DeviceKind::tpu) {
    const LabelId label = store.events.label[window.row];
    return std::string(store.Text(store.labels[label.value].name));
  }
  if (group.is_marked) return GroupName(store, group);
  const LaneId lane = LaneOf(store, EventId(window.row));
  TFPROF_ASSIGN(const auto names,
                of.indexes.Details(store.lanes[lane.value].process, "step_name", context));
  const std::string_view told = names->rows.count == 0 ? "" : names->Text(window.row);
  return told.empty() ? std::to_string(group.number) : std::string(told);
}

// The spans of each group together: those of group i are [first[i], first[i + 1]) of the result.
std::vector<ClassSpan> SortByGroup(SpansByLane lanes, size_t groups, std::vector<size_t>* first) {
  first->assign(groups + 1, 0);
  for (const auto& spans : lanes) {
    for (const GroupedSpan& span : spans) ++(*first)[span.group];
  }
  size_t sum = 0;
  for (size_t& of_group : *first) of_group = sum += of_group;
  std::vector<ClassSpan> sorted(sum);
  for (auto& spans : lanes) {
    for (const GroupedSpan& span : spans) {
      sorted[--(*first)[span.group]] = {span.start_ps, span.end_ps, span.of};
    }
    std::vector<GroupedSpan>().swap(spans);  // they are many, and no longer needed
  }
  return sorted;
}

bool HasCompute(const StepTime& step, bool on_device) {
  if (!on_device) return At(step.class_ps, StepClass::host_compute) > 0;
  return At(step.class_ps, StepClass::compute_32) + At(step.class_ps, StepClass::compute_16) > 0;
}

Result<HostSteps> StepsOfHost(HostId host, DeviceKind kind, const StepSources& of,
                              Context& context) {
  HostSteps out{host, kind, {}, {}};
  TFPROF_ASSIGN(const std::vector<StepWindow> windows, Windows(of, kind, context));
  TFPROF_ASSIGN(SpansByLane spans, Spans(of, kind, windows, context));
  std::vector<size_t> first;
  std::vector<ClassSpan> by_group = SortByGroup(std::move(spans), windows.size(), &first);
  for (size_t i = 0; i < windows.size(); ++i) {
    if (first[i] == first[i + 1]) continue;
    TFPROF_TRY(Poll(context));
    StepTime step;
    step.group = static_cast<uint32_t>(i);
    step.number = of.groups.groups[i].number;
    step.start_ps = windows[i].start_ps;
    step.duration_ps = SpanOf(windows[i].start_ps, windows[i].end_ps);
    const std::span<ClassSpan> of_step(by_group.data() + first[i], first[i + 1] - first[i]);
    step.class_ps = TimesOfClasses(of_step, step.start_ps, step.EndPs());
    if (!HasCompute(step, out.has_device())) continue;
    TFPROF_ASSIGN(step.name, NameOf(of, kind, of.groups.groups[i], windows[i], context));
    const bool within = std::all_of(of_step.begin(), of_step.end(), [&](const ClassSpan& span) {
      return span.start_ps >= step.start_ps && span.end_ps <= step.EndPs();
    });
    const ClassTimes whole_ps =
        within ? step.class_ps : TimesOfClasses(of_step, kMinPs / 2, kMaxPs / 2);
    for (size_t k = 0; k < kStepClasses; ++k) {
      out.all_ps[k] = SaturatingAdd(out.all_ps[k], whole_ps[k]);
    }
    out.steps.push_back(std::move(step));
  }
  return out;
}

}  // namespace

int64_t StepTime::OtherPs() const {
  int64_t rest_ps = duration_ps;
  for (const int64_t time_ps : class_ps) rest_ps -= time_ps;
  return rest_ps;
}

Result<std::vector<HostSteps>> MeasureStepsAnew(const Store& store, const Indexes& indexes,
                                                const Query& query, Context& context) {
  std::vector<HostSteps> hosts;
  if (store.processes.empty()) return hosts;
  TFPROF_TRY(ReadAhead(store, indexes, context));
  TFPROF_ASSIGN(const auto groups, indexes.Groups(context));
  for (size_t i = 0; i < store.hosts.size(); ++i) {
    StepSources of{store, indexes, *groups};
    const DeviceKind kind = ChooseProcesses(query, HostId(i), &of);
    if (of.processes.empty()) continue;
    TFPROF_ASSIGN(HostSteps steps, StepsOfHost(HostId(i), kind, of, context));
    hosts.push_back(std::move(steps));
  }
  return hosts;
}

Result<std::vector<HostSteps>> MeasureSteps(const Store& store, const Indexes& indexes,
                                            const Query& query, Context& context) {
  if (!query.host.empty() || !query.device.empty()) {
    return MeasureStepsAnew(store, indexes, query, context);
  }
  TFPROF_ASSIGN(const auto kept, indexes.Steps(context));
  return *kept;
}

}  // namespace tfprof
