// SPDX-License-Identifier: Apache-2.0
#include "analysis/trace_nodes/trace_nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/indexes.h"
#include "analysis/links/event_links.h"
#include "analysis/ops/own_clock.h"
#include "analysis/place.h"
#include "analysis/read_ahead.h"
#include "analysis/trace_nodes/making.h"
#include "core/store/note_catalogue.h"
#include "core/store/store.h"

namespace tfprof {
namespace {

std::vector<ProcessId> ProcessesAsked(const Store& trace, const PlaceFilter& place,
                                      ProcessKind kind) {
  std::vector<ProcessId> asked;
  for (size_t i = 0; i < trace.processes.size(); ++i) {
    const Process& process = trace.processes[i];
    if (process.kind == kind && InPlace(trace, process, place)) asked.emplace_back(i);
  }
  return asked;
}

// The process and the one lane that stands for all of its lanes.
LaneId AddProcess(const Process& process, Making* making) {
  const Store& trace = making->trace;
  StoreBuilder& builder = making->builder;
  Process copy = process;
  copy.name = builder.Name(trace.Text(process.name));
  if (process.host.some()) {
    copy.host = builder.AddHost(builder.Name(trace.Text(trace.hosts[process.host.value].name)));
  }
  copy.labels = {};
  copy.lanes = {};
  copy.device = {};
  Lane lane;
  lane.process = builder.AddProcess(copy);
  lane.name = lane.display = builder.Name(PlaceName(trace, process));
  const bool is_device = process.kind == ProcessKind::device;
  lane.role = is_device ? LaneRole::sum_of_streams : LaneRole::executor;
  lane.measures = is_device ? Measures::accelerator_time : Measures::host_time;
  lane.tick_ps = 0;
  return builder.AddLane(lane);
}

// The work of a process becomes rows of its lane.
void AddRows(const Process& process, Making* making) {
  const LaneId lane = AddProcess(process, making);
  StoreBuilder& builder = making->builder;
  builder.BeginRows(lane, StepId());
  making->work.CountRuns();
  for (size_t i = 0; i < making->work.size(); ++i) {
    const NodeWork& work = making->work[i];
    if (!work.some()) continue;
    const NodeId node(i);
    if (!builder.node(node).has_trace) making->untraced.Add(node, work.ps);
    builder.AddNodeLane(node, lane);
    const LabelId label = builder.AddLabel(builder.node(node).name, node);
    const int64_t start_ps = work.first_ps == kNoTime ? 0 : work.first_ps;
    const EventId row = builder.AddEvent(start_ps, work.ps, label);
    builder.AddAggregate(row, work.runs);
    making->counted_ps = SaturatingAdd(making->counted_ps, work.ps);
  }
  making->work.Clear();
}

void AddNote(const Unattributed& what, const NoteRow& note, Making* making) {
  if (what.events == 0) return;
  const Store& trace = making->trace;
  making->builder.AddNote(note, trace.Text(trace.labels[what.first.value].name), what.ps,
                          what.events);
}

void NoteUntraced(Making* making) {
  const Untraced& of = making->untraced;
  if (of.nodes == 0) return;
  StoreBuilder& builder = making->builder;
  builder.AddNote(note::operations_without_code, builder.Text(builder.node(of.first).name), of.ps,
                  of.nodes);
}

// What the files and their readers said.
void CopySources(Making* making) {
  const Store& trace = making->trace;
  for (const Source& source : trace.sources) making->builder.AddSource(source);
  for (const Note& note : trace.notes) {
    making->builder.AddNote(note.what, note.first_place, note.cost_ps, note.count);
  }
  making->builder.SetEpoch(trace.epoch_ns);
}

Result<std::vector<DeviceOps>> DevicesAsked(const PlaceFilter& place, Making* making) {
  std::vector<ProcessId> devices = ProcessesAsked(making->trace, place, ProcessKind::device);
  std::erase_if(devices,
                [&](ProcessId id) { return !making->trace.processes[id.value].device.some(); });
  return FindDeviceOps(devices, making);
}

// What launched the work of devices is asked of all threads, of the asked ones or not.
Result<void> AddHosts(const PlaceFilter& place, Making* making) {
  const Store& trace = making->trace;
  for (const ProcessId id : ProcessesAsked(trace, {}, ProcessKind::host)) {
    const bool asked = InPlace(trace, trace.processes[id.value], place);
    if (!asked && making->calls.row.empty()) continue;
    TFPROF_TRY(AddHostWork(id, asked, making));
    if (asked) AddRows(trace.processes[id.value], making);
  }
  return {};
}

// What nodes ask of the events.
constexpr DetailKey kOfHosts[] = {AttributeKey::correlation, AttributeKey::instruction};
constexpr DetailKey kOfDevices[] = {AttributeKey::op, AttributeKey::instruction,
                                    AttributeKey::module, AttributeKey::program,
                                    AttributeKey::correlation};

Result<void> AddWork(const PlaceFilter& place, Making* making) {
  const EventKeys keys{kOfHosts, kOfDevices};
  TFPROF_TRY(ReadAhead(making->trace, making->indexes, place, keys, making->context));
  const bool by_stack = making->nodes == NodesAre::one_per_stack;
  if (by_stack) {
    TFPROF_ASSIGN(making->python,
                  FindPythonStacks(making->trace, making->indexes, making->context));
  }
  TFPROF_ASSIGN(making->chosen,
                ChooseEvents(making->trace, making->indexes, place, making->context));
  TFPROF_ASSIGN(std::vector<DeviceOps> devices, DevicesAsked(place, making));
  const bool any_unnamed = std::any_of(devices.begin(), devices.end(),
                                       [](const DeviceOps& ops) { return !ops.unnamed.empty(); });
  if (any_unnamed || !making->python.empty()) {
    TFPROF_ASSIGN(making->links, making->indexes.Get<EventLinks>(making->context));
  }
  FindLaunchCalls(&devices, making);
  FindHostInstructions(devices, making);
  TFPROF_TRY(AddHosts(place, making));
  for (DeviceOps& ops : devices) {
    TFPROF_TRY(AddDeviceWork(&ops, making));
    AddRows(making->trace.processes[ops.process.value], making);
  }
  return AddPrograms(making);
}

// The nodes have the durations of events, which are those of no clock of a device.
Result<void> NoteClocks(const PlaceFilter& place, Making* making) {
  const Store& trace = making->trace;
  ClockDifference clocks;
  for (const ProcessId id : ProcessesAsked(trace, place, ProcessKind::device)) {
    if (DeviceKindOf(trace, trace.processes[id.value]) != DeviceKind::tpu) continue;
    TFPROF_ASSIGN(const ClockDifference of,
                  CompareClocks(trace, making->indexes, id, making->chosen, making->context));
    clocks.Add(of);
  }
  if (!clocks.IsWorthANote()) return {};
  making->builder.AddNote(note::With(note::times_by_trace_clock, {clocks.Said()}), "", kNoInt, 1);
  return {};
}

}  // namespace

bool LacksNodes(const Store& store) { return store.nodes.empty() && store.IsTrace(); }

Result<TraceNodes> TraceNodes::Build(const Indexes& indexes, const Key& key, Context& context) {
  const Store& trace = *indexes.store();
  const PlaceFilter& place = key.place;
  Making making{trace, indexes, key.nodes, context};
  CopySources(&making);
  TFPROF_TRY(AddWork(place, &making));
  AddNote(making.rest.unnamed, note::unattributed_work, &making);
  AddNote(making.rest.unplaced, note::work_without_place, &making);
  AddNote(making.rest.nested, note::operations_within_operations, &making);
  AddNote(making.rest.stepless, note::work_of_no_step, &making);
  TFPROF_TRY(NoteWaitedFor(ProcessesAsked(trace, place, ProcessKind::host), &making));
  TFPROF_TRY(NoteClocks(place, &making));
  if (key.nodes == NodesAre::one_per_stack) NoteUntraced(&making);
  TraceNodes made;
  TFPROF_ASSIGN(made.store, making.builder.Finish());
  made.indexes = std::make_shared<const Indexes>(made.store);
  return made;
}

Result<std::shared_ptr<const TraceNodes>> NodesIfTrace(const StorePtr& store,
                                                       const Indexes& indexes, Context& context) {
  if (!LacksNodes(*store)) return nullptr;
  return indexes.Get<TraceNodes>(context);
}

}  // namespace tfprof
