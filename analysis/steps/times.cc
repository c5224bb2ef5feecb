// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/times.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/flops/device_type.h"
#include "analysis/indexes.h"
#include "analysis/place.h"
#include "analysis/read_ahead.h"
#include "analysis/steps/grouping/event_groups.h"
#include "analysis/steps/spans.h"
#include "analysis/wall/inferred_steps.h"
#include "analysis/wall/times.h"

namespace tfprof {
namespace {

// The processes of a host that record its steps: its devices of one kind, else its threads.
struct StepProcesses {
  HostId host;
  DeviceKind kind = DeviceKind::other;
  std::vector<ProcessId> processes = {};
};

StepProcesses ChooseProcesses(const Store& store, const PlaceFilter& place, HostId host) {
  StepProcesses of{host};
  std::vector<ProcessId> threads;
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.host != host || !MatchesPlace(store, process, place)) continue;
    if (process.kind == ProcessKind::host) threads.push_back(ProcessId(i));
    const DeviceKind of_process = DeviceKindOf(store, process);
    if (of_process == DeviceKind::other) continue;
    if (!WasActive(store, process, Measures::accelerator_time)) continue;
    if (of.kind == DeviceKind::other) of.kind = of_process;
    if (of_process == of.kind) of.processes.push_back(ProcessId(i));
  }
  if (of.kind == DeviceKind::other) of.processes = std::move(threads);
  return of;
}

// Returns them for all hosts that have any.
std::vector<StepProcesses> ChooseStepProcesses(const Store& store, const PlaceFilter& place) {
  std::vector<StepProcesses> hosts;
  for (size_t i = 0; i < store.hosts.size(); ++i) {
    StepProcesses of = ChooseProcesses(store, place, HostId(i));
    if (!of.processes.empty()) hosts.push_back(std::move(of));
  }
  return hosts;
}

bool AreDevices(const std::vector<StepProcesses>& hosts) {
  return std::ranges::all_of(hosts,
                             [](const StepProcesses& of) { return of.kind != DeviceKind::other; });
}

// The keys that groups, windows and spans need of the events of GPUs.
constexpr DetailKey kStepKeys[] = {AttributeKey::group, AttributeKey::work, AttributeKey::launched,
                                   AttributeKey::shape};

Result<std::vector<StepWindow>> Windows(const StepSources& of, DeviceKind kind, Context& context) {
  if (kind == DeviceKind::gpu) return GpuWindows(of, context);
  if (kind == DeviceKind::tpu) return TpuWindows(of, context);
  return HostWindows(of, context);
}

Result<void> EachSpans(const StepSources& of, DeviceKind kind,
                       const std::vector<StepWindow>& windows, Context& context,
                       const TakeSpans& take) {
  if (kind == DeviceKind::gpu) return GpuSpans(of, windows, context, take);
  if (kind == DeviceKind::tpu) return TpuSpans(of, windows, context, take);
  return HostSpans(of, windows, context, take);
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
  TFPROF_ASSIGN(const auto names, of.indexes.Details(store.lanes[lane.value].process,
                                                     AttributeKey::step_text, context));
  const std::string_view recorded = names->rows.count == 0 ? "" : names->Text(window.row);
  return recorded.empty() ? std::to_string(group.number) : std::string(recorded);
}

bool HasCompute(const StepTime& step, bool on_device) {
  if (!on_device) return At(step.class_ps, StepClass::host_compute) > 0;
  const auto time = [&](StepClass of) { return At(step.class_ps, of); };
  return time(StepClass::compute_32) + time(StepClass::compute_16) + time(StepClass::stalled) > 0;
}

// Spans of one class neither overlap nor touch.
int64_t CollectivesPs(std::span<const ClassSpan> spans, const StepTime& step) {
  int64_t sum_ps = 0;
  for (const ClassSpan& span : spans) {
    if (span.of != StepClass::collectives) continue;
    const int64_t from_ps = std::max(span.start_ps, step.start_ps);
    const int64_t to_ps = std::min(span.end_ps, step.EndPs());
    if (to_ps > from_ps) sum_ps += to_ps - from_ps;
  }
  return sum_ps;
}

// Adds the step of a group with these spans, if it is a step.
Result<void> AddStep(const StepSources& of, size_t group, const StepWindow& window,
                     std::span<ClassSpan> spans, HostSteps* out, Context& context) {
  StepTime step;
  step.group_id = of.groups.groups[group].id;
  step.number = of.groups.groups[group].number;
  step.start_ps = window.start_ps;
  step.duration_ps = SpanOf(window.start_ps, window.end_ps);
  step.class_ps = TimesOfClasses(spans, step.start_ps, step.EndPs());
  if (of.are_steps) {
    step.name = std::to_string(step.number);
  } else if (HasCompute(step, out->has_device())) {
    TFPROF_ASSIGN(step.name, NameOf(of, out->device, of.groups.groups[group], window, context));
  } else {
    return {};
  }
  step.collectives_ps = CollectivesPs(spans, step);
  const bool within = std::all_of(spans.begin(), spans.end(), [&](const ClassSpan& span) {
    return span.start_ps >= step.start_ps && span.end_ps <= step.EndPs();
  });
  const ClassTimes total_ps =
      within ? step.class_ps : TimesOfClasses(spans, kMinPs / 2, kMaxPs / 2);
  for (size_t k = 0; k < kStepClasses; ++k) {
    out->all_ps[k] = SaturatingAdd(out->all_ps[k], total_ps[k]);
  }
  out->steps.push_back(std::move(step));
  return {};
}

void SetWallTimes(std::vector<StepTime>* steps) {
  std::vector<StepTime*> by_start;
  for (StepTime& step : *steps) by_start.push_back(&step);
  std::ranges::stable_sort(by_start, {}, &StepTime::start_ps);
  for (size_t i = 1; i < by_start.size(); ++i) {
    by_start[i - 1]->wall_ps = SpanOf(by_start[i - 1]->start_ps, by_start[i]->start_ps);
  }
}

// Adds the steps of the groups that have a window. `out`: its host and its device are known.
Result<void> AddSteps(const StepSources& of, const std::vector<StepWindow>& windows, HostSteps* out,
                      Context& context) {
  GroupUnions unions;
  const auto add = [&](const SpansOfGroups& spans) -> Result<void> {
    unions.Reset(spans.first, spans.end);
    for (const LaneSpans& lane : spans.lanes) {
      for (const GroupedSpan& span : lane.spans) unions.Add(span);
    }
    for (uint32_t group = spans.first; group < spans.end; ++group) {
      const std::span<ClassSpan> of_group = unions.Of(group);
      if (of_group.empty() || of.groups.groups[group].host != out->host) continue;
      TFPROF_TRY(Poll(context));
      TFPROF_TRY(AddStep(of, group, windows[group], of_group, out, context));
    }
    return {};
  };
  TFPROF_TRY(EachSpans(of, out->device, windows, context, add));
  SetWallTimes(&out->steps);
  return {};
}

// Replaces `hosts` by hosts with inferred steps, if anything repeats.
Result<void> AddInferred(const Store& store, const Indexes& indexes,
                         const std::vector<StepProcesses>& all, std::vector<HostSteps>* hosts,
                         Context& context) {
  TFPROF_ASSIGN(const auto inferred, indexes.Get<InferredSteps>(context));
  if (inferred->windows.empty()) return {};
  TFPROF_ASSIGN(const auto times, indexes.Get<WallTimes>(context));
  hosts->clear();
  for (const StepProcesses& of : all) {
    const StepSources sources{store, indexes, inferred->groups, of.processes, true};
    HostSteps steps{of.host, of.kind};
    const auto wall = std::ranges::find(times->hosts, of.host, &HostWall::host);
    if (wall != times->hosts.end() && wall->steps.origin == StepOrigin::inferred) {
      steps.origin = StepOrigin::inferred;
      steps.inferred_from = wall->steps.of;
    }
    TFPROF_TRY(AddSteps(sources, inferred->windows, &steps, context));
    hosts->push_back(std::move(steps));
  }
  return {};
}

// The steps that the trace records.
Result<std::vector<HostSteps>> MeasureRecorded(const Store& store, const Indexes& indexes,
                                               const std::vector<StepProcesses>& all,
                                               Context& context) {
  std::vector<HostSteps> hosts;
  TFPROF_TRY(ReadAhead(store, indexes, {}, {{}, kStepKeys}, context));
  TFPROF_ASSIGN(const auto groups, AreDevices(all) ? GroupsOfDevices(indexes, context)
                                                   : indexes.Get<EventGroups>(context));
  for (const StepProcesses& of : all) {
    const StepSources sources{store, indexes, *groups, of.processes};
    HostSteps steps{of.host, of.kind};
    TFPROF_ASSIGN(const std::vector<StepWindow> windows, Windows(sources, of.kind, context));
    TFPROF_TRY(AddSteps(sources, windows, &steps, context));
    hosts.push_back(std::move(steps));
  }
  return hosts;
}

}  // namespace

int64_t StepTime::OtherPs() const {
  int64_t rest_ps = duration_ps;
  for (const int64_t time_ps : class_ps) rest_ps -= time_ps;
  return rest_ps;
}

std::string StepName(const Store& trace, HostId host, int64_t number) {
  std::string name = fmt::format("step {}", number);
  if (trace.hosts.size() > 1) name += fmt::format(" of {}", HostName(trace, host));
  return name;
}

bool AnySteps(const std::vector<HostSteps>& hosts) {
  return std::ranges::any_of(hosts, [](const HostSteps& host) { return !host.steps.empty(); });
}

std::string_view InferredFrom(const std::vector<HostSteps>& hosts) {
  const auto inferred = std::ranges::find_if(hosts, [](const HostSteps& host) {
    return !host.inferred_from.empty() && !host.steps.empty();
  });
  return inferred == hosts.end() ? std::string_view() : inferred->inferred_from;
}

Result<std::vector<HostSteps>> AllSteps::Build(const Indexes& indexes, StepBasis basis,
                                               Context& context) {
  const Store& store = *indexes.store();
  if (!store.IsTrace()) return std::vector<HostSteps>();
  const std::vector<StepProcesses> all = ChooseStepProcesses(store, {});
  if (basis == StepBasis::recorded) return MeasureRecorded(store, indexes, all, context);
  TFPROF_ASSIGN(const auto recorded, indexes.Get<AllSteps>(StepBasis::recorded, context));
  std::vector<HostSteps> hosts = *recorded;
  if (!AnySteps(hosts)) TFPROF_TRY(AddInferred(store, indexes, all, &hosts, context));
  return hosts;
}

Result<std::vector<HostSteps>> MeasureSteps(const Store& store, const Indexes& indexes,
                                            const PlaceFilter& place, Context& context) {
  const StepBasis basis = StepBasisOf(place);
  if (place.host.empty() && place.device.empty()) {
    TFPROF_ASSIGN(const auto kept, indexes.Get<AllSteps>(basis, context));
    return *kept;
  }
  if (!store.IsTrace()) return std::vector<HostSteps>();
  const std::vector<StepProcesses> all = ChooseStepProcesses(store, place);
  TFPROF_ASSIGN(std::vector<HostSteps> hosts, MeasureRecorded(store, indexes, all, context));
  if (basis == StepBasis::or_inferred && !AnySteps(hosts)) {
    TFPROF_TRY(AddInferred(store, indexes, all, &hosts, context));
  }
  return hosts;
}

}  // namespace tfprof
