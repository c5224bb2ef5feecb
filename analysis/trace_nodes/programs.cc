// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "analysis/indexes.h"
#include "analysis/programs.h"
#include "analysis/trace_nodes/making.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

// Below the framework operation that it came from, else below its program.
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

void Describe(const Program& program, const Instruction& instruction, NodeId node, Making* making) {
  StoreBuilder& builder = making->builder;
  making->AddCategory(node, CategoryOf(program, instruction));
  const ShapeRef shape = ShapeOf(program, program.TypeOf(instruction), builder);
  if (shape.rank >= 0) {
    const OutputShape output{0, shape};
    builder.SetOutputShapes(node, {&output, 1});
  }
  if (instruction.source_file.count == 0) return;
  const std::string line = std::string(program.Text(instruction.source_file)) + ":" +
                           std::to_string(instruction.source_line);
  SetSourceLines(node, line, making);
}

void AddInputs(const Program& program, const Instruction& instruction, Making* making) {
  const NodeId node = NodeOfInstruction(program, instruction, making);
  if (node.value >= making->has_inputs.size()) making->has_inputs.resize(node.value + size_t{1});
  if (making->has_inputs[node.value]) return;
  making->has_inputs[node.value] = true;
  std::vector<Edge> edges;
  for (const uint32_t operand : program.References(instruction.operands)) {
    Edge edge;
    edge.input_slot = static_cast<int32_t>(edges.size());
    if (operand != Instruction::kNone) {
      edge.producer = NodeOfInstruction(program, program.instructions[operand], making);
    }
    edges.push_back(edge);
  }
  making->builder.SetInputs(node, edges);
}

}  // namespace

std::string ProgramName(HostId host, uint64_t program_id, const Making& making) {
  const ModuleId module = FindModule(making.trace, host, program_id);
  if (!module.some()) return "program " + std::to_string(program_id);
  const std::string_view name = making.trace.Text(making.trace.modules[module.value].name);
  return std::string(name.substr(0, name.rfind('(')));
}

NodeId NodeOfInstruction(const Program& program, const Instruction& instruction, Making* making) {
  StoreBuilder& builder = making->builder;
  const std::string text = OpTextOf(program, instruction);
  const OpName op = ParseOpName(text);
  const NameId name =
      builder.Name(NodeName(program.Text(instruction.op_name), program.Text(program.name),
                            program.Text(instruction.name)));
  const NodeId known = builder.FindNode(name);
  if (known.some()) return known;
  // What a program takes is called by its place, args[0], which is no operation.
  const std::string_view opcode = program.Text(instruction.opcode);
  const std::string_view type = op && opcode != "parameter" ? op.type : opcode;
  const NodeId node = builder.AddNode(name, builder.Name(type), true);
  Describe(program, instruction, node, making);
  return node;
}

NodeId FindInstructionNode(const CompiledPrograms& programs, HostId host, uint64_t program_id,
                           std::string_view instruction, Making* making) {
  const ModuleId module = FindModule(making->trace, host, program_id);
  if (!module.some()) return {};
  const uint32_t found = programs.Find(module, instruction);
  if (found == Instruction::kNone) return {};
  making->ran.resize(making->trace.modules.size());
  making->ran[module.value] = true;
  const Program& program = programs.Of(module);
  return NodeOfInstruction(program, program.instructions[found], making);
}

Result<std::vector<NodeId>> NodesOfOps(const EventOps& ops, bool only_xla, Making* making) {
  TFPROF_ASSIGN(const auto programs, making->indexes.Get<CompiledPrograms>(making->context));
  std::vector<NodeId> nodes(ops.ops.size());
  making->ran.resize(making->trace.modules.size());
  for (size_t i = 0; i < ops.ops.size(); ++i) {
    const EventOp& op = ops.ops[i];
    if (op.instruction != Instruction::kNone) {
      const Program& program = programs->Of(op.module);
      making->ran[op.module.value] = true;
      nodes[i] = NodeOfInstruction(program, program.instructions[op.instruction], making);
    } else if (op.is_xla) {
      const std::string name =
          NodeName(op.op.name, "program " + std::to_string(op.program_id), op.hlo_name);
      nodes[i] = making->NodeOf(name, op.op ? op.op.type : DerivedType(op.hlo_name));
    } else if (op.op && !only_xla) {
      nodes[i] = making->NodeOf(op.op.name, op.op.type);
    }
  }
  return nodes;
}

Result<void> AddPrograms(Making* making) {
  if (making->trace.modules.empty()) return {};
  TFPROF_ASSIGN(const auto programs, making->indexes.Get<CompiledPrograms>(making->context));
  for (const Note& note : programs->notes) {
    making->builder.AddNote(note.what, note.first_place, note.cost_ps, note.count);
  }
  for (size_t i = 0; i < making->ran.size(); ++i) {
    if (!making->ran[i]) continue;
    const Program& program = programs->programs[i];
    for (size_t k = 0; k < program.instructions.size(); ++k) {
      if (k % 4096 == 0) TFPROF_TRY(Poll(making->context));
      // What is fused into one kernel, or done per element, never runs as such.
      if (program.instructions[k].computation != program.entry) continue;
      AddInputs(program, program.instructions[k], making);
    }
  }
  return {};
}

}  // namespace tfprof
