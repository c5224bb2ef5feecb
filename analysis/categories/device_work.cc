// SPDX-License-Identifier: Apache-2.0
#include "analysis/categories/device_work.h"

#include <algorithm>
#include <unordered_map>

#include "analysis/categories/nested_times.h"
#include "analysis/indexes.h"
#include "core/base/arith.h"

namespace tfprof {
namespace {

EventClass ClassOf(const Store& store, EventId event) {
  return store.labels[store.events.label[event.value].value].of;
}

// The events of a process of which `is_wanted` is true, ascending.
template <class IsWanted>
std::vector<EventId> EventsOf(const Store& store, const Process& process, IsWanted is_wanted) {
  std::vector<EventId> events;
  for (const Lane& lane : store.LanesOf(process)) {
    if (lane.derived || lane.role == LaneRole::instants) continue;
    for (const uint32_t row : lane.PlacedRows()) {
      if (is_wanted(lane, ClassOf(store, EventId(row)))) events.emplace_back(row);
    }
  }
  return events;
}

// Where the recorder has no categories, every event of a host may be a call.
bool MayLaunch(const Lane&, EventClass of) {
  return of == EventClass::runtime_call || of == EventClass::none;
}

// Likewise, every event of a stream is work.
bool IsWork(const Lane& lane, EventClass of) {
  const bool is_stream = lane.measures == Measures::accelerator_time;
  return IsDeviceWork(of) || (of == EventClass::none && is_stream);
}

using CallOfNumber = std::unordered_map<int64_t, EventId>;

// Adds the calls of a process by their number. Places in the file ascend.
Result<void> AddCalls(const Store& store, ProcessId id, CallOfNumber* calls, Context& context) {
  const auto events = EventsOf(store, store.processes[id.value], MayLaunch);
  if (events.empty()) return {};
  constexpr DetailKey kKeys[] = {AttributeKey::correlation};
  TFPROF_ASSIGN(const auto columns, ReadColumns(store, id, events, kKeys, context));
  if (columns.empty() || columns[0].rows.count == 0) return {};
  const auto place = [&](EventId event) { return store.events.detail[event.value]; };
  for (uint32_t i = 0; i < events.size(); ++i) {
    if (!columns[0].Has(i)) continue;
    const auto [found, is_new] = calls->try_emplace(columns[0].Integer(i), events[i]);
    if (!is_new && place(events[i]) < place(found->second)) found->second = events[i];
  }
  return {};
}

Result<void> AddWork(const Store& store, ProcessId id, const CallOfNumber& calls,
                     std::vector<WorkEvent>* work, Context& context) {
  const Process& process = store.processes[id.value];
  const auto events = EventsOf(store, process, IsWork);
  if (events.empty()) return {};
  constexpr DetailKey kKeys[] = {AttributeKey::correlation};
  TFPROF_ASSIGN(const auto columns, ReadColumns(store, id, events, kKeys, context));
  const bool any = !columns.empty() && columns[0].rows.count > 0;
  uint32_t lane = process.lanes.first;
  for (uint32_t i = 0; i < events.size(); ++i) {
    while (events[i].value >= store.lanes[lane].rows.After()) ++lane;
    WorkEvent& of = work->emplace_back();
    of.event = events[i];
    of.device = id;
    of.stream = LaneId(lane);
    of.source = process.source;
    if (!any || !columns[0].Has(i)) continue;
    const auto call = calls.find(columns[0].Integer(i));
    if (call != calls.end()) of.call = call->second;
  }
  return {};
}

// The operation that a launch serves.
EventId OpAround(const Store& store, const NestedTimes& nested, EventId call) {
  EventId annotation;
  for (EventId at = nested.around[call.value]; at.some(); at = nested.around[at.value]) {
    const EventClass of = ClassOf(store, at);
    if (of == EventClass::op) return at;
    if (of == EventClass::annotation && !annotation.some()) annotation = at;
  }
  return annotation;
}

}  // namespace

Result<LaunchedWork> LaunchedWork::Build(const Indexes& indexes, Context& context) {
  const Store& store = *indexes.store();
  TFPROF_ASSIGN(const auto nested, indexes.Get<NestedTimes>(context));
  std::vector<CallOfNumber> calls(store.sources.size());
  for (uint32_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.kind != ProcessKind::host || !process.source.some()) continue;
    TFPROF_TRY(AddCalls(store, ProcessId(i), &calls[process.source.value], context));
  }
  LaunchedWork work;
  for (uint32_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.kind != ProcessKind::device || !process.source.some()) continue;
    TFPROF_TRY(AddWork(store, ProcessId(i), calls[process.source.value], &work.events, context));
  }
  for (WorkEvent& of : work.events) {
    if (of.call.some()) of.op = OpAround(store, *nested, of.call);
  }
  return work;
}

Result<CreditedTimes> CreditedTimes::Build(const Indexes& indexes, Context& context) {
  const Store& store = *indexes.store();
  TFPROF_ASSIGN(const auto nested, indexes.Get<NestedTimes>(context));
  TFPROF_ASSIGN(const auto work, indexes.Get<LaunchedWork>(context));
  // The time of all work that a call launched, so that each call is followed outwards once.
  std::unordered_map<uint32_t, int64_t> of_call;
  CreditedTimes times;
  times.device_ps.Resize(store.EventCount(), 0);
  times.self_device_ps.Resize(store.EventCount(), 0);
  const auto add = [](int64_t ps, int64_t* sum) { *sum = SaturatingAdd(*sum, ps); };
  for (const WorkEvent& of : work->events) {
    const int64_t ps = store.events.duration_ps[of.event.value];
    if (of.call.some()) add(ps, &of_call[of.call.value]);
    if (of.op.some()) add(ps, &times.self_device_ps[of.op.value]);
  }
  for (const auto& [call, ps] : of_call) {
    for (EventId at = nested->around[call]; at.some(); at = nested->around[at.value]) {
      add(ps, &times.device_ps[at.value]);
    }
  }
  return times;
}

bool IsCommunication(std::string_view kernel) {
  const bool is_named = kernel.starts_with("nccl") || kernel.starts_with("rccl");
  return is_named && kernel.substr(0, kernel.find('\n')).find("Kernel") != kernel.npos;
}

}  // namespace tfprof
