// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/indexes.h"
#include "analysis/place.h"
#include "analysis/programs.h"
#include "analysis/trace_nodes/node_maker.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

// Facts that the instruction lanes record with a label.
struct LabelFacts {
  HostId host;
  IndexPtr<CompiledPrograms> programs;
  IndexPtr<DetailColumn> op, category, program, flops, stack, source;
};

Result<LabelFacts> ReadFacts(ProcessId id, NodeMaker* maker) {
  LabelFacts facts;
  facts.host = maker->trace.processes[id.value].host;
  TFPROF_ASSIGN(facts.programs, maker->indexes.Get<CompiledPrograms>(maker->context));
  constexpr DetailKey kKeys[] = {AttributeKey::op,           AttributeKey::op_category,
                                 AttributeKey::program,      AttributeKey::flops,
                                 AttributeKey::source_stack, AttributeKey::source};
  TFPROF_ASSIGN(auto columns, maker->indexes.Details(id, kKeys, maker->context));
  facts.op = std::move(columns[0]);
  facts.category = std::move(columns[1]);
  facts.program = std::move(columns[2]);
  facts.flops = std::move(columns[3]);
  facts.stack = std::move(columns[4]);
  facts.source = std::move(columns[5]);
  return facts;
}

// Returns the program's instruction that an event names; without the program, one made from the
// label.
NodeId NamedInstruction(const LabelFacts& facts, uint32_t row, NodeMaker* maker) {
  const Store& trace = maker->trace;
  const Label& label = trace.labels[trace.events.label[row].value];
  const std::string_view instruction =
      trace.Text(label.display.some() ? label.display : label.name);
  const int64_t number = facts.program->rows.count == 0 ? kNoInt : facts.program->Integer(row);
  const auto program_id = static_cast<uint64_t>(number);
  if (number != kNoInt) {
    const NodeId known =
        FindInstructionNode(*facts.programs, facts.host, program_id, instruction, maker);
    if (known.some()) return known;
  }
  const OpName op = ParseOpName(facts.op->TextIfRead(row));
  std::string name(op ? op.name : "");
  if (!op && number != kNoInt) name = ProgramName(facts.host, program_id, *maker);
  if (!name.empty()) name.push_back('/');
  name.append(instruction);
  return maker->NodeOf(name, op ? op.type : facts.category->TextIfRead(row));
}

NodeId InstructionNode(const LabelFacts& facts, uint32_t row, NodeMaker* maker) {
  const NodeId node = NamedInstruction(facts, row, maker);
  StoreBuilder& builder = maker->builder;
  const OpName op = ParseOpName(facts.op->TextIfRead(row));
  if (op) builder.node(node).type = builder.Name(op.type);
  const std::string_view category = facts.category->TextIfRead(row);
  if (!category.empty()) maker->AddCategory(node, category);
  const int64_t flops = facts.flops->rows.count == 0 ? kNoInt : facts.flops->Integer(row);
  if (flops > 0) builder.node(node).float_ops = flops;
  const std::string_view stack = facts.stack->TextIfRead(row);
  if (!builder.node(node).has_trace) SetSourceLines(node, stack, maker);
  if (!builder.node(node).has_trace) SetSourceLines(node, facts.source->TextIfRead(row), maker);
  return node;
}

// By label, for a device whose lanes run instructions.
Result<void> NameLabels(DeviceOps* ops, NodeMaker* maker) {
  const Store& trace = maker->trace;
  TFPROF_ASSIGN(const LabelFacts facts, ReadFacts(ops->process, maker));
  for (const Lane* lane : LanesThatMeasure(trace, ops->process, Measures::accelerator_time)) {
    for (const uint32_t row : lane->rows) {
      NodeId& node = ops->of_label[trace.events.label[row].value - ops->first_label];
      if (!node.some()) node = InstructionNode(facts, row, maker);
    }
  }
  return {};
}

bool IsGpu(const Store& trace, ProcessId id) {
  const DeviceId device = trace.processes[id.value].device;
  return trace.devices[device.value].kind == DeviceKind::gpu;
}

}  // namespace

Result<std::vector<DeviceOps>> FindDeviceOps(std::span<const ProcessId> devices, NodeMaker* maker) {
  const Store& trace = maker->trace;
  const size_t threads = ThreadsFor(trace.events.start_ps.bytes());
  std::vector<DeviceOps> found(devices.size());
  TFPROF_TRY(TryEachTask(
      found.size(), threads, maker->context, [&](size_t i, Context& context) -> Result<void> {
        const Range labels = trace.processes[devices[i].value].labels;
        found[i].process = devices[i];
        found[i].first_label = labels.first;
        found[i].of_label.resize(labels.count);
        if (!IsGpu(trace, devices[i])) return {};
        TFPROF_ASSIGN(found[i].runs, maker->indexes.Get<GpuRuns>(devices[i], context));
        return {};
      }));
  for (DeviceOps& ops : found) {
    if (IsGpu(trace, ops.process)) {
      TFPROF_ASSIGN(ops.of_op, NodesOfOps(ops.Ops(), false, maker));
    } else {
      TFPROF_TRY(NameLabels(&ops, maker));
    }
  }
  return found;
}

}  // namespace tfprof
