// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "analysis/flops/program.h"
#include "analysis/indexes.h"
#include "analysis/programs.h"
#include "analysis/trace_nodes/node_maker.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

// The name below the framework operation that it came from, else below its program.
std::string NodeName(std::string_view op_name, std::string_view program,
                     std::string_view instruction) {
  std::string name(op_name.empty() ? program : op_name);
  if (!name.empty()) name.push_back('/');
  return name.append(instruction);
}

ShapeRef ShapeOf(const Program& program, const TensorType& type, StoreBuilder& builder) {
  if (type.element == ElementType::tuple || type.element == ElementType::invalid) return {};
  return builder.AddShape(program.Numbers(type.dims));
}

// Sets the recorded calls as the stack of a node.
void SetStack(const Program& program, const std::vector<const SourceFrame*>& calls, NodeId node,
              NodeMaker* maker) {
  StoreBuilder& builder = maker->builder;
  std::vector<Frame> frames;
  for (const SourceFrame* call : calls) {
    frames.push_back({builder.Name(program.Text(call->file)),
                      builder.Name(program.Text(call->function)), NameId(), call->line, 0});
  }
  maker->SetFrames(node, frames);
  if (!maker->python.empty()) maker->by_call.recorded.emplace(node.value, std::move(frames));
}

void Describe(const Program& program, const Instruction& instruction, NodeId node,
              NodeMaker* maker) {
  StoreBuilder& builder = maker->builder;
  maker->AddCategory(node, CategoryOf(program, instruction));
  const ShapeRef shape = ShapeOf(program, program.TypeOf(instruction), builder);
  if (shape.rank >= 0) {
    const OutputShape output{0, shape};
    builder.SetOutputShapes(node, {&output, 1});
  }
  const std::vector<const SourceFrame*> stack = CallStackOf(program, instruction);
  if (!stack.empty()) return SetStack(program, stack, node, maker);
  if (instruction.source_file.count == 0) return;
  const std::string line = std::string(program.Text(instruction.source_file)) + ":" +
                           std::to_string(instruction.source_line);
  SetSourceLines(node, line, maker);
}

void AddInputs(const Program& program, uint64_t program_id, const Instruction& instruction,
               NodeMaker* maker) {
  const NodeId node = NodeOfInstruction(program, program_id, instruction, maker);
  if (node.value >= maker->has_inputs.size()) maker->has_inputs.resize(node.value + size_t{1});
  if (maker->has_inputs[node.value]) return;
  maker->has_inputs[node.value] = true;
  std::vector<Edge> edges;
  for (const uint32_t operand : program.References(instruction.operands)) {
    Edge edge;
    edge.input_slot = static_cast<int32_t>(edges.size());
    if (operand != Instruction::kNone) {
      edge.producer = NodeOfInstruction(program, program_id, program.instructions[operand], maker);
    }
    edges.push_back(edge);
  }
  maker->builder.SetInputs(node, edges);
}

}  // namespace

std::string ProgramName(HostId host, uint64_t program_id, const NodeMaker& maker) {
  const ModuleId module = FindModule(maker.trace, host, program_id);
  if (!module.some()) return "program " + std::to_string(program_id);
  const std::string_view name = maker.trace.Text(maker.trace.modules[module.value].name);
  return std::string(name.substr(0, name.rfind('(')));
}

NodeId NodeOfInstruction(const Program& program, uint64_t program_id,
                         const Instruction& instruction, NodeMaker* maker) {
  StoreBuilder& builder = maker->builder;
  const std::string text = OpTextOf(program, instruction);
  const OpName op = ParseOpName(text);
  std::string full = NodeName(program.Text(instruction.op_name), program.Text(program.name),
                              program.Text(instruction.name));
  // Another program may have an instruction of that name, from the same operation.
  const auto is_of_other = [&](NodeId node) {
    const auto owner = maker->program_of.find(node.value);
    return owner != maker->program_of.end() && owner->second != program_id;
  };
  NodeId known = builder.FindNode(builder.Name(full));
  if (known.some() && is_of_other(known)) {
    full += "(" + std::to_string(program_id) + ")";
    known = builder.FindNode(builder.Name(full));
  }
  if (known.some()) return known;
  const NameId name = builder.Name(full);
  // The parameters of a program have positional names, args[0], which are not operations.
  const std::string_view opcode = program.Text(instruction.opcode);
  const std::string_view type = op && opcode != "parameter" ? op.type : opcode;
  const NodeId node = builder.AddNode(name, builder.Name(type), true);
  maker->program_of.emplace(node.value, program_id);
  Describe(program, instruction, node, maker);
  return node;
}

NodeId FindInstructionNode(const CompiledPrograms& programs, HostId host, uint64_t program_id,
                           std::string_view instruction, NodeMaker* maker) {
  const ModuleId module = FindModule(maker->trace, host, program_id);
  if (!module.some()) return {};
  const uint32_t found = programs.Find(module, instruction);
  if (found == Instruction::kNone) return {};
  maker->ran.resize(maker->trace.modules.size());
  maker->ran[module.value] = true;
  const Program& program = programs.Of(module);
  return NodeOfInstruction(program, program_id, program.instructions[found], maker);
}

namespace {

// Costs of instructions by the rules of XLA's model; each program is analyzed once.
class InstructionCosts {
 public:
  explicit InstructionCosts(const CompiledPrograms& programs) : programs_(programs) {}

  // FLOPs of one run; 0: unknown, or none.
  int64_t FlopsOf(ModuleId module, uint32_t instruction) {
    constexpr double kMost = 9e18;
    const auto found =
        of_module_.try_emplace(module.value, programs_.Of(module), LibraryCalls::by_shape).first;
    const double flops = found->second.Of(instruction).flops;
    return flops > 0 ? std::llround(std::min(flops, kMost)) : 0;
  }

 private:
  const CompiledPrograms& programs_;
  std::map<uint32_t, ProgramCost> of_module_;
};

}  // namespace

Result<std::vector<NodeId>> NodesOfOps(const EventOps& ops, bool only_xla, NodeMaker* maker) {
  TFPROF_ASSIGN(const auto programs, maker->indexes.Get<CompiledPrograms>(maker->context));
  std::vector<NodeId> nodes(ops.ops.size());
  maker->ran.resize(maker->trace.modules.size());
  InstructionCosts costs(*programs);
  for (size_t i = 0; i < ops.ops.size(); ++i) {
    if (i % 4096 == 0) TFPROF_TRY(Poll(maker->context));
    const EventOp& op = ops.ops[i];
    if (op.instruction != Instruction::kNone) {
      const Program& program = programs->Of(op.module);
      maker->ran[op.module.value] = true;
      nodes[i] =
          NodeOfInstruction(program, op.program_id, program.instructions[op.instruction], maker);
      if (op.op) maker->builder.node(nodes[i]).type = maker->builder.Name(op.op.type);
      // The rules are those of GPUs: what a CPU computes is unknown.
      if (!only_xla) {
        maker->builder.node(nodes[i]).float_ops = costs.FlopsOf(op.module, op.instruction);
      }
    } else if (op.is_xla) {
      const std::string name =
          NodeName(op.op.name, "program " + std::to_string(op.program_id), op.hlo_name);
      nodes[i] = maker->NodeOf(name, op.op ? op.op.type : DerivedType(op.hlo_name));
    } else if (op.op && !only_xla) {
      nodes[i] = maker->NodeOf(op.op.name, op.op.type);
    }
  }
  return nodes;
}

Result<void> AddPrograms(NodeMaker* maker) {
  if (maker->trace.modules.empty()) return {};
  TFPROF_ASSIGN(const auto programs, maker->indexes.Get<CompiledPrograms>(maker->context));
  for (const Note& note : programs->notes) {
    maker->builder.AddNote(note.what, note.first_place, note.cost_ps, note.count);
  }
  for (size_t i = 0; i < maker->ran.size(); ++i) {
    if (!maker->ran[i]) continue;
    const Program& program = programs->programs[i];
    for (size_t k = 0; k < program.instructions.size(); ++k) {
      if (k % 4096 == 0) TFPROF_TRY(Poll(maker->context));
      // Instructions that are fused into one kernel, or applied per element, never run on their
      // own.
      if (program.instructions[k].computation != program.entry) continue;
      AddInputs(program, maker->trace.modules[i].program_id, program.instructions[k], maker);
    }
  }
  return {};
}

}  // namespace tfprof
