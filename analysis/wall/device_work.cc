// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/device_work.h"

#include "analysis/intervals/nesting.h"
#include "analysis/ops/links.h"
#include "analysis/place.h"
#include "analysis/steps/classes.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

enum class Activity : uint8_t { compute, communication, copy };

struct Sets {
  IntervalSet compute, communication, copies, callbacks;

  void Add(Activity activity, int64_t start_ps, int64_t end_ps) {
    if (end_ps <= start_ps) return;
    IntervalSet& set = activity == Activity::compute         ? compute
                       : activity == Activity::communication ? communication
                                                             : copies;
    set.Add(start_ps, end_ps);
  }
};

DeviceWork Disjoint(ProcessId process, Sets* sets) {
  DeviceWork work{process};
  const auto take = [&](IntervalSet& set, std::vector<Interval>* out) {
    *out = Subtract(set.Parts(), work.busy);
    IntervalSet busy;
    for (const Interval& part : work.busy) busy.Add(part.start_ps, part.end_ps);
    for (const Interval& part : *out) busy.Add(part.start_ps, part.end_ps);
    const Intervals parts = busy.Parts();
    work.busy.assign(parts.begin(), parts.end());
  };
  take(sets->callbacks, &work.callbacks);  // they lie within a program
  take(sets->compute, &work.compute);
  take(sets->communication, &work.communication);
  take(sets->copies, &work.copies);
  return work;
}

Activity ActivityOf(const Label& label, std::string_view name) {
  switch (label.role) {
    case EventRole::copy_to_device:
    case EventRole::copy_to_host:
    case EventRole::copy_on_device:
    case EventRole::copy_to_peer:
    case EventRole::copy_on_host: return Activity::copy;
    default: return LinkOf(name) == Link::devices ? Activity::communication : Activity::compute;
  }
}

// By label of the process.
std::vector<Activity> ActivitiesOf(const Store& store, const Process& process) {
  std::vector<Activity> activities;
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const Label& label = store.labels[process.labels.first + i];
    activities.push_back(ActivityOf(label, store.Text(label.name)));
  }
  return activities;
}

Activity ActivityOf(StepClass of) {
  switch (of) {
    case StepClass::collectives: return Activity::communication;
    case StepClass::stalled:
    case StepClass::host_to_device:
    case StepClass::device_to_host: return Activity::copy;
    default: return Activity::compute;
  }
}

// TPUs record the category of each operation.
Result<std::vector<Activity>> ActivitiesOfTpu(const Store& store, const Indexes& indexes,
                                              ProcessId id, Context& context) {
  const Process& process = store.processes[id.value];
  TFPROF_ASSIGN(const auto categories, indexes.Details(id, AttributeKey::op_category, context));
  std::vector<std::string_view> of_label(process.labels.count);
  for (uint32_t i = 0; i < categories->rows.count; ++i) {
    const uint32_t row = categories->rows.first + i;
    std::string_view& text = of_label[store.events.label[row].value - process.labels.first];
    if (text.empty() && categories->Has(row)) text = categories->Text(row);
  }
  std::vector<Activity> activities;
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const Label& label = store.labels[process.labels.first + i];
    const std::string_view name = store.Text(label.display.some() ? label.display : label.name);
    activities.push_back(ActivityOf(TpuTextOf(of_label[i], name)));
  }
  return activities;
}

}  // namespace

Result<DeviceWork> WorkOfDevice(const Store& store, const Indexes& indexes, ProcessId id,
                                Context& context) {
  const Process& process = store.processes[id.value];
  const bool is_tpu = DeviceKindOf(store, process) == DeviceKind::tpu;
  TFPROF_ASSIGN(const std::vector<Activity> activities,
                is_tpu ? ActivitiesOfTpu(store, indexes, id, context)
                       : Result<std::vector<Activity>>(ActivitiesOf(store, process)));
  Sets sets;
  LaneNesting nesting;
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    const Lane& lane = store.lanes[i];
    if (lane.measures != Measures::accelerator_time) continue;
    TFPROF_TRY(Poll(context));
    const auto add = [&](uint32_t row, int64_t start_ps, int64_t end_ps) {
      sets.Add(activities[store.events.label[row].value - process.labels.first], start_ps, end_ps);
    };
    if (lane.nesting != Nesting::stack) {
      for (const uint32_t row : lane.PlacedRows()) {
        add(row, store.events.start_ps[row], store.events.EndPs(row));
      }
      continue;
    }
    NestEvents(store, lane, &nesting);
    EachInnermost(
        store, nesting, [](uint32_t) {}, add);
  }
  return Disjoint(id, &sets);
}

IntervalSet CollectivesOn(const Store& store, const Process& host) {
  IntervalSet set;
  if (CollectiveOn(store, host) == kNoRow) return set;
  for (const Lane& lane : store.LanesOf(host)) {
    if (lane.derived || lane.role == LaneRole::input_thread) continue;
    for (const uint32_t row : lane.PlacedRows()) {
      const Label& label = store.labels[store.events.label[row].value];
      if (label.role != EventRole::collective || label.of == EventClass::none) continue;
      set.Add(store.events.start_ps[row], store.events.EndPs(row));
    }
  }
  return set;
}

DeviceWork WorkOfHost(const Store& store, ProcessId id, LaneId driving,
                      const HostExecutions& executions, Intervals fetching) {
  const Process& process = store.processes[id.value];
  Sets sets;
  IntervalSet compiling;  // runs operations to know what they would do
  sets.communication = CollectivesOn(store, process);
  for (const HostExecution& run : executions.executions) sets.compute.Add(run.start_ps, run.end_ps);
  std::vector<bool> is_op(process.labels.count);
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const Label& label = store.labels[process.labels.first + i];
    is_op[i] = LaunchesWork(OpNameOf(label.of, store.Text(OpText(label))));
  }
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    const Lane& lane = store.lanes[i];
    if (lane.derived || lane.role == LaneRole::input_thread) continue;
    for (uint32_t row = lane.rows.first + lane.unplaced; row < lane.rows.first + lane.rows.count;
         ++row) {
      const LabelId label = store.events.label[row];
      const EventRole role = store.labels[label.value].role;
      if (role == EventRole::compile && store.labels[label.value].of != EventClass::none) {
        compiling.Add(store.events.start_ps[row], store.events.EndPs(row));
      }
      const bool computes = is_op[label.value - process.labels.first];
      const bool copies = role == EventRole::put_on_device || role == EventRole::copy_to_device;
      if (!computes && (!copies || LaneId(i) == driving)) continue;
      const int64_t start_ps = store.events.start_ps[row];
      (computes ? sets.compute : sets.copies)
          .Add(start_ps, SaturatingAdd(start_ps, store.events.duration_ps[row]));
    }
  }
  IntervalSet compute;
  std::vector<Interval> own = Subtract(sets.compute.Parts(), fetching);
  own = Subtract(own, compiling.Parts());
  const std::vector<Interval> calls = Subtract(executions.callbacks.intervals, fetching);
  own = Subtract(own, calls);
  own = Subtract(own, executions.communication);
  for (const Interval& part : own) compute.Add(part.start_ps, part.end_ps);
  sets.compute = std::move(compute);
  for (const Interval& part : calls) sets.callbacks.Add(part.start_ps, part.end_ps);
  for (const Interval& part : executions.communication) {
    sets.communication.Add(part.start_ps, part.end_ps);
  }
  return Disjoint(id, &sets);
}

}  // namespace tfprof
