// SPDX-License-Identifier: Apache-2.0
#include "analysis/trace_nodes/trace_nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/indexes.h"
#include "analysis/links/event_links.h"
#include "analysis/ops/device_clock.h"
#include "analysis/place.h"
#include "analysis/read_ahead.h"
#include "analysis/trace_nodes/node_maker.h"
#include "core/store/note_catalogue.h"
#include "core/text/short_name.h"

namespace tfprof {
namespace {

// Adds the process, with one lane that replaces all of its lanes.
LaneId AddProcess(const Process& process, NodeMaker* maker) {
  const Store& trace = maker->trace;
  StoreBuilder& builder = maker->builder;
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

void CountFlops(NodeId node, const NodeWork& work, NodeMaker* maker) {
  if (maker->flops->empty()) return;
  CalledFlops& called = maker->called_flops[node.value];
  called.flops = SaturatingAdd(called.flops, work.flops);
  called.runs = SaturatingAdd(called.runs, work.runs);
}

void SetFlops(NodeMaker* maker) {
  for (const auto& [node, called] : maker->called_flops) {
    if (called.flops > 0 && called.runs > 0) maker->builder.SetCalledFlops(NodeId(node), called);
  }
}

void Append(const NodeExecutions& more, NodeExecutions* all) {
  all->durations.insert(all->durations.end(), more.durations.begin(), more.durations.end());
  for (uint32_t node = 0; node < more.unknown.size(); ++node) {
    if (more.unknown[node]) all->SetUnknown(NodeId(node));
  }
}

// Adds the work of a process as rows of its lane.
void AddRows(const Process& process, NodeMaker* maker) {
  const LaneId lane = AddProcess(process, maker);
  StoreBuilder& builder = maker->builder;
  builder.BeginRows(lane, StepId());
  maker->work.CountRuns();
  for (size_t i = 0; i < maker->work.size(); ++i) {
    const NodeWork& work = maker->work[i];
    if (!work.some()) continue;
    const NodeId node(i);
    if (!builder.node(node).has_trace) maker->untraced.Add(node, work.ps);
    builder.AddNodeLane(node, lane);
    const LabelId label = builder.AddLabel(builder.node(node).name, node);
    const int64_t start_ps = work.first_ps == kNoTime ? 0 : work.first_ps;
    const EventId row = builder.AddEvent(start_ps, work.ps, label);
    builder.AddAggregate(row, work.runs);
    AddMemoryOf(node, row, maker);
    if (process.kind == ProcessKind::host) CountFlops(node, work, maker);
  }
  if (maker->keeps_executions) {
    const bool is_device = process.kind == ProcessKind::device;
    Append(ExecutionsOf(maker->work.parts()), is_device ? &maker->on_devices : &maker->on_hosts);
  }
  maker->work.Clear();
}

// `of_kernels`: the names are those of C++ functions, which may be long.
void AddNote(const Unattributed& what, const NoteRow& note, NodeMaker* maker,
             bool of_kernels = false) {
  if (what.count == 0) return;
  const Store& trace = maker->trace;
  const std::string_view name = trace.Text(trace.labels[what.first.value].name);
  maker->builder.AddNote(note,
                         of_kernels ? ShortName(name, Shortening::numbers) : std::string(name),
                         what.ps, what.count);
}

void NoteUntraced(NodeMaker* maker) {
  const Tally<NodeId>& of = maker->untraced;
  if (of.count == 0) return;
  StoreBuilder& builder = maker->builder;
  builder.AddNote(note::operations_without_code, builder.Text(builder.node(of.first).name), of.ps,
                  of.count);
}

// Copies the sources and the notes of their loaders.
void CopySources(NodeMaker* maker) {
  const Store& trace = maker->trace;
  for (const Source& source : trace.sources) maker->builder.AddSource(source);
  for (const Note& note : trace.notes) {
    maker->builder.AddNote(note.what, note.first_place, note.cost_ps, note.count);
  }
  maker->builder.SetEpoch(trace.epoch_ns);
  if (trace.has_trimmed_paths) maker->builder.SetTrimmedPaths();
}

Result<std::vector<DeviceOps>> SelectedDevices(const PlaceFilter& place, NodeMaker* maker) {
  std::vector<ProcessId> devices = SelectedProcesses(maker->trace, place, ProcessKind::device);
  std::erase_if(devices,
                [&](ProcessId id) { return !maker->trace.processes[id.value].device.some(); });
  return FindDeviceOps(devices, maker);
}

Result<void> AddHosts(const PlaceFilter& place, bool memory, NodeMaker* maker) {
  const auto hosts = SelectedProcesses(maker->trace, place, ProcessKind::host);
  if (memory) TFPROF_TRY(FindNodeMemory(hosts, maker));
  for (const ProcessId id : hosts) {
    TFPROF_TRY(AddHostWork(id, maker));
    AddRows(maker->trace.processes[id.value], maker);
  }
  return {};
}

// The keys that nodes need of the events.
constexpr DetailKey kHostKeys[] = {AttributeKey::correlation, AttributeKey::instruction};
constexpr DetailKey kDeviceKeys[] = {AttributeKey::op,         AttributeKey::instruction,
                                     AttributeKey::module,     AttributeKey::program,
                                     AttributeKey::annotation, AttributeKey::work,
                                     AttributeKey::correlation};

Result<void> AddWork(const PlaceFilter& place, bool memory, NodeMaker* maker) {
  const EventKeys keys{kHostKeys, kDeviceKeys};
  TFPROF_TRY(ReadAhead(maker->trace, maker->indexes, place, keys, maker->context));
  const bool by_stack = maker->nodes == NodeGranularity::one_per_stack;
  if (by_stack) {
    TFPROF_ASSIGN(maker->python, FindPythonStacks(maker->trace, maker->indexes, maker->context));
  }
  TFPROF_ASSIGN(maker->scopes, maker->indexes.Get<ModuleScopes>(maker->context));
  TFPROF_ASSIGN(maker->flops, maker->indexes.Get<EventFlops>(maker->context));
  TFPROF_ASSIGN(maker->chosen, ChooseEvents(maker->trace, maker->indexes, place, maker->context));
  TFPROF_ASSIGN(std::vector<DeviceOps> devices, SelectedDevices(place, maker));
  if (!maker->python.empty()) {
    TFPROF_ASSIGN(maker->links, maker->indexes.Get<LaunchLinks>(maker->context));
  }
  FindHostInstructions(devices, maker);
  TFPROF_TRY(AddHosts(place, memory, maker));
  SetFlops(maker);
  for (DeviceOps& ops : devices) {
    TFPROF_TRY(AddDeviceWork(&ops, maker));
    AddRows(maker->trace.processes[ops.process.value], maker);
  }
  return AddPrograms(maker);
}

// Nodes have the durations of events, which are not measured by a device's clock.
Result<void> NoteClocks(const PlaceFilter& place, NodeMaker* maker) {
  const Store& trace = maker->trace;
  ClockDifference clocks;
  for (const ProcessId id : SelectedProcesses(trace, place, ProcessKind::device)) {
    if (DeviceKindOf(trace, trace.processes[id.value]) != DeviceKind::tpu) continue;
    TFPROF_ASSIGN(const ClockDifference of,
                  CompareClocks(trace, maker->indexes, id, maker->chosen, maker->context));
    clocks.Add(of);
  }
  if (!clocks.DeservesNote()) return {};
  maker->builder.AddNote(note::With(note::times_by_trace_clock, {clocks.DisplayText()}), "", kNoInt,
                         1);
  return {};
}

}  // namespace

bool LacksNodes(const Store& store) { return store.nodes.empty() && store.IsTrace(); }

Result<TraceNodes> TraceNodes::Build(const Indexes& indexes, const Key& key, Context& context) {
  const Store& trace = *indexes.store();
  const PlaceFilter& place = key.place;
  NodeMaker maker{trace, indexes, key.nodes, context};
  maker.keeps_executions = key.executions;
  if (key.executions) {
    TFPROF_ASSIGN(maker.launch_ops, indexes.Get<LaunchOps>(context));
  }
  CopySources(&maker);
  TFPROF_TRY(AddWork(place, key.memory, &maker));
  AddNote(maker.rest.unnamed, note::unattributed_work, &maker, true);
  AddNote(maker.rest.unplaced, note::work_without_place, &maker);
  AddNote(maker.rest.nested, note::operations_within_operations, &maker);
  AddNote(maker.rest.stepless, note::work_of_no_step, &maker);
  TFPROF_TRY(NoteClocks(place, &maker));
  if (key.nodes == NodeGranularity::one_per_stack) NoteUntraced(&maker);
  TraceNodes made;
  TFPROF_ASSIGN(made.store, maker.builder.Finish());
  made.indexes = std::make_shared<const Indexes>(made.store);
  if (key.executions) {
    made.executions = std::move(IsAccelerated(*made.store) ? maker.on_devices : maker.on_hosts);
  }
  return made;
}

Result<std::shared_ptr<const TraceNodes>> NodesIfTrace(const StorePtr& store,
                                                       const Indexes& indexes, Context& context) {
  if (!LacksNodes(*store)) return nullptr;
  return indexes.Get<TraceNodes>(context);
}

}  // namespace tfprof
