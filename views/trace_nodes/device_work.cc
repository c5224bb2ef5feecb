// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/op_name.h"
#include "views/nesting.h"
#include "views/programs.h"
#include "views/trace_nodes/making.h"

namespace tfprof {
namespace {

constexpr uint32_t kRowsPerPoll = 1 << 16;

NodeId CopyNode(std::string_view name, Making* making) {
  switch (CopyKindOf(name)) {
    case CopyKind::none:
      return {};
    case CopyKind::host_to_device:
      return making->NodeOf("MemcpyHToD", "MemcpyHToD");
    case CopyKind::device_to_host:
      return making->NodeOf("MemcpyDToH", "MemcpyDToH");
    case CopyKind::device_to_device:
      return making->NodeOf("MemcpyDToD", "MemcpyDToD");
    case CopyKind::host_to_host:
      break;
  }
  return making->NodeOf("MemcpyHToH", "MemcpyHToH");
}

std::string_view TextOf(const DetailColumn& column, uint32_t row) {
  return column.rows.count == 0 ? std::string_view() : column.Text(row);
}

// What the lanes of instructions tell of one with its label.
struct LabelFacts {
  HostId host;
  IndexPtr<CompiledPrograms> programs;
  IndexPtr<DetailColumn> op, category, program, flops, stack, source;
};

Result<LabelFacts> ReadFacts(ProcessId id, Making* making) {
  LabelFacts facts;
  facts.host = making->trace.processes[id.value].host;
  TFPROF_ASSIGN(facts.programs, making->indexes.Programs(making->context));
  constexpr std::string_view kKeys[] = {"op",    "hlo_category", "program",
                                        "flops", "source_stack", "source"};
  TFPROF_ASSIGN(auto columns, making->indexes.Details(id, kKeys, making->context));
  facts.op = std::move(columns[0]);
  facts.category = std::move(columns[1]);
  facts.program = std::move(columns[2]);
  facts.flops = std::move(columns[3]);
  facts.stack = std::move(columns[4]);
  facts.source = std::move(columns[5]);
  return facts;
}

// The instruction of the program that an event names; without the program what the label tells.
NodeId NamedInstruction(const LabelFacts& facts, uint32_t row, Making* making) {
  const Store& trace = making->trace;
  const Label& label = trace.labels[trace.events.label[row].value];
  const std::string_view instruction =
      trace.Text(label.display.some() ? label.display : label.name);
  const int64_t number = facts.program->rows.count == 0 ? kNoInt : facts.program->Integer(row);
  const auto program_id = static_cast<uint64_t>(number);
  if (number != kNoInt) {
    const NodeId known =
        FindInstructionNode(*facts.programs, facts.host, program_id, instruction, making);
    if (known.some()) return known;
  }
  const OpName op = ParseOpName(TextOf(*facts.op, row));
  std::string name(op ? op.name : "");
  if (!op && number != kNoInt) name = ProgramName(facts.host, program_id, *making);
  if (!name.empty()) name.push_back('/');
  name.append(instruction);
  return making->NodeOf(name, op ? op.type : TextOf(*facts.category, row));
}

NodeId InstructionNode(const LabelFacts& facts, uint32_t row, Making* making) {
  const NodeId node = NamedInstruction(facts, row, making);
  StoreBuilder& builder = making->builder;
  const std::string_view category = TextOf(*facts.category, row);
  if (!category.empty()) making->AddCategory(node, category);
  const int64_t flops = facts.flops->rows.count == 0 ? kNoInt : facts.flops->Integer(row);
  if (flops > 0) builder.node(node).float_ops = flops;
  const std::string_view stack = TextOf(*facts.stack, row);
  if (!stack.empty()) {
    SetSourceLines(node, stack, making);
  } else if (!builder.node(node).has_trace) {
    SetSourceLines(node, TextOf(*facts.source, row), making);
  }
  return node;
}

// The call that launched it.
EventId LaunchOf(uint32_t row, const Making& making) {
  if (making.links == nullptr) return {};
  const EventLinks& links = *making.links;
  for (size_t i = links.FirstTo(row); i < links.size() && links.to[i].value == row; ++i) {
    if (links.kind[i] == LinkKind::launch) return links.from[i];
  }
  return {};
}

// The operation around the call that launched it.
NodeId OfLaunch(uint32_t row, const Making& making) {
  if (making.around.empty()) return {};
  const EventId call = LaunchOf(row, making);
  return call.some() ? making.around[call.value] : NodeId();
}

NodeId NodeOfRow(DeviceOps* ops, uint32_t row, Making* making) {
  const LabelId label = making->trace.events.label[row];
  const uint32_t op = ops->ops.Of(row);
  if (op != EventOps::kNone && ops->of_op[op].some()) return ops->of_op[op];
  const NodeId launch = OfLaunch(row, *making);
  if (launch.some()) return launch;
  NodeId& of_label = ops->of_label[label.value - ops->first_label];
  if (!of_label.some()) {
    const std::string_view name = making->trace.Text(making->trace.labels[label.value].name);
    of_label = CopyNode(name, making);
  }
  return of_label;
}

// The Python calls around the call that launched it. Where that lies on a thread of its own, as
// those of some drivers do, they are those around the host's event of the same instruction.
uint32_t PythonCallOf(const DeviceOps& ops, uint32_t row, const Making& making) {
  if (making.python.empty()) return PythonStacks::kNone;
  const EventId launch = LaunchOf(row, making);
  if (!launch.some()) return PythonStacks::kNone;
  const uint32_t call = making.python.of_event[launch.value];
  const uint32_t op = ops.ops.Of(row);
  if (call != PythonStacks::kNone || op == EventOps::kNone) return call;
  return making.host_instructions.CallAt(ops.ops.ops[op].hlo_name, launch, making);
}

// Time of its own, by placed row of the lane.
void OwnTimes(const Store& trace, const Lane& lane, std::vector<int64_t>* own_ps) {
  if (lane.nesting == Nesting::stack) {
    LaneNesting nesting;
    NestEvents(trace, lane, &nesting);
    SelfTimes(trace, nesting, own_ps);
    for (int64_t& ps : *own_ps) ps = std::max<int64_t>(0, ps);
    return;
  }
  const int64_t* first = trace.events.duration_ps.data() + lane.rows.first + lane.unplaced;
  own_ps->assign(first, first + (lane.rows.count - lane.unplaced));
}

// A sum over many executions has no place in time, so it is no part of what the device was busy
// with; it tells how often they ran.
void AddSum(uint32_t row, DeviceOps* ops, Making* making) {
  const Events& events = making->trace.events;
  const NodeId node = NodeOfRow(ops, row, making);
  if (node.some()) {
    const NodeId below = making->Below(node, PythonCallOf(*ops, row, *making));
    making->AddWork(below, kNoTime, 0, making->RunsOf(row));
  }
  making->unplaced.Add(events.label[row], events.duration_ps[row]);
}

Result<void> AddLane(const Lane& lane, DeviceOps* ops, Making* making) {
  const Events& events = making->trace.events;
  std::vector<int64_t> own_ps;
  OwnTimes(making->trace, lane, &own_ps);
  const uint32_t first = lane.rows.first + lane.unplaced;
  for (uint32_t row = lane.rows.first; row < first; ++row) {
    if (making->Asks(row)) AddSum(row, ops, making);
  }
  for (uint32_t i = 0; i < own_ps.size(); ++i) {
    const uint32_t row = first + i;
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(making->context));
    if (!making->Asks(row)) continue;
    const int64_t inside_ps = events.duration_ps[row] - own_ps[i];
    if (inside_ps > 0) making->nested.Add(events.label[row], inside_ps);
    const NodeId node = NodeOfRow(ops, row, making);
    if (node.some()) {
      const NodeId below = making->Below(node, PythonCallOf(*ops, row, *making));
      making->AddWork(below, events.start_ps[row], own_ps[i], making->RunsOf(row));
    } else {
      making->unnamed.Add(events.label[row], own_ps[i]);
    }
  }
  return {};
}

}  // namespace

Result<DeviceOps> FindDeviceOps(ProcessId id, Making* making) {
  const Store& trace = making->trace;
  const Process& process = trace.processes[id.value];
  DeviceOps found;
  found.process = id;
  found.first_label = process.labels.first;
  found.of_label.resize(process.labels.count);
  if (trace.devices[process.device.value].kind == DeviceKind::gpu) {
    TFPROF_ASSIGN(found.ops, FindEventOps(trace, making->indexes, id, making->context));
    TFPROF_ASSIGN(found.of_op, NodesOfOps(found.ops, false, making));
    return found;
  }
  TFPROF_ASSIGN(const LabelFacts facts, ReadFacts(id, making));
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    const Lane& lane = trace.lanes[i];
    if (lane.measures != Measures::accelerator_time) continue;
    for (uint32_t row = lane.rows.first; row < lane.rows.first + lane.rows.count; ++row) {
      NodeId& node = found.of_label[trace.events.label[row].value - found.first_label];
      if (!node.some()) node = InstructionNode(facts, row, making);
    }
  }
  return found;
}

bool NeedsLaunches(const DeviceOps& ops, const Making& making) {
  const Process& process = making.trace.processes[ops.process.value];
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    const Lane& lane = making.trace.lanes[i];
    if (lane.measures != Measures::accelerator_time) continue;
    for (uint32_t row = lane.rows.first; row < lane.rows.first + lane.rows.count; ++row) {
      const uint32_t op = ops.ops.Of(row);
      const bool named = op != EventOps::kNone && ops.of_op[op].some();
      const uint32_t label = making.trace.events.label[row].value - ops.first_label;
      if (!named && !ops.of_label[label].some()) return true;
    }
  }
  return false;
}

Result<void> AddDeviceWork(DeviceOps* ops, Making* making) {
  const Process& process = making->trace.processes[ops->process.value];
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    const Lane& lane = making->trace.lanes[i];
    if (lane.measures != Measures::accelerator_time) continue;
    TFPROF_TRY(AddLane(lane, ops, making));
  }
  return {};
}

}  // namespace tfprof
