// SPDX-License-Identifier: Apache-2.0
// LayoutChecker: programs that spend their time on transposing and copying arrays.
#include <algorithm>
#include <map>
#include <span>

#include "analysis/ops/op_times.h"
#include "analysis/programs.h"
#include "views/causes/array_copies.h"
#include "views/causes/wall_cause.h"

namespace tfprof {
namespace {

constexpr double kLayoutThreshold = 10;  // percent of the time of instructions

// Returns the instruction that makes the result: the root of a fusion.
const Instruction& MakerOf(const Program& program, const Instruction& instruction) {
  const auto called = program.References(instruction.called);
  if (program.Text(instruction.opcode) != "fusion" || called.empty()) return instruction;
  if (called[0] == Instruction::kNone) return instruction;
  const uint32_t root = program.computations[called[0]].root;
  return root == Instruction::kNone ? instruction : program.instructions[root];
}

// A copy with the layout of its operand is no change of layout.
bool ChangesLayout(const Program& program, const Instruction& maker) {
  const std::string_view opcode = program.Text(maker.opcode);
  if (opcode == "transpose") return true;
  if (opcode != "copy") return false;
  const auto operands = program.References(maker.operands);
  if (operands.empty() || operands[0] == Instruction::kNone) return true;
  const auto layout = [&](const Instruction& of) {
    const Range order = program.TypeOf(of).minor_to_major;
    return std::span(program.numbers).subspan(order.first, order.count);
  };
  return !std::ranges::equal(layout(maker), layout(program.instructions[operands[0]]));
}

// "jax_transposes.<locals>.channels_first" is channels_first.
std::string_view LastName(std::string_view function) {
  const size_t dot = function.rfind('.');
  return dot == function.npos ? function : function.substr(dot + 1);
}

struct Layout {
  int64_t all_ps = 0;
  int64_t layout_ps = 0;
  std::map<std::string, int64_t> opcodes, functions, programs;

  void Add(const Store& store, HostId host, const CompiledPrograms& programs_of, const OpTime& op) {
    all_ps = SaturatingAdd(all_ps, op.self_ps);
    const ModuleId module = FindModule(store, host, op.xla->program_id);
    const uint32_t at = module.some() ? programs_of.Find(module, op.xla->name) : Instruction::kNone;
    if (at == Instruction::kNone) return AddByName(op);
    const Program& program = programs_of.Of(module);
    const Instruction& maker = MakerOf(program, program.instructions[at]);
    const std::string_view opcode = program.Text(maker.opcode);
    if (!ChangesLayout(program, maker)) return;
    layout_ps = SaturatingAdd(layout_ps, op.self_ps);
    opcodes[std::string(opcode)] += op.self_ps;
    const std::string_view whole = store.Text(store.modules[module.value].name);
    programs[std::string(whole.substr(0, whole.find('(')))] += op.self_ps;
    if (maker.frame == Instruction::kNone) return;
    const std::string_view function = LastName(program.Text(program.frames[maker.frame].function));
    if (!function.empty() && !function.starts_with('<')) {
      functions[std::string(function)] += op.self_ps;
    }
  }

  // XLA names a fusion after what it ends with; copy-start and copy-done only move memory.
  void AddByName(const OpTime& op) {
    const std::string_view name = op.xla->name;
    const bool transposes = name.find("transpose") != name.npos;
    const bool copies = name == "copy" || name.starts_with("copy.") ||
                        name.starts_with("copy_fusion") || name.starts_with("wrapped_copy");
    if (!transposes && !copies) return;
    layout_ps = SaturatingAdd(layout_ps, op.self_ps);
    opcodes[transposes ? "transpose" : "copy"] += op.self_ps;
  }
};

std::string First(const std::map<std::string, int64_t>& times) {
  const std::vector<NamedAmount> list = LargestFirst(times);
  return list.empty() ? std::string() : list[0].name;
}

}  // namespace

Result<void> CheckLayout(const StepFacts& facts, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  const std::vector<const HostWall*> walls = WallsOf(facts, *times);
  TFPROF_TRY(AddArrayCopies(facts, walls, findings));
  const bool compiled = std::ranges::any_of(
      walls, [](const HostWall* wall) { return !wall->executions.executions.empty(); });
  if (walls.empty() || (facts.trace.modules.empty() && !compiled)) return {};
  TFPROF_ASSIGN(const auto ops, facts.indexes.Get<OpTimes>(facts.context));
  TFPROF_ASSIGN(const auto programs, facts.indexes.Get<CompiledPrograms>(facts.context));
  for (const HostWall* wall : walls) {
    Layout layout;
    for (const auto* side : {&ops->processes, &ops->cpus}) {
      for (const ProcessOps& process : *side) {
        if (facts.trace.processes[process.process.value].host != wall->host) continue;
        for (const OpTime& op : process.ops) {
          if (op.xla != nullptr) layout.Add(facts.trace, wall->host, *programs, op);
        }
      }
    }
    if (Percent(layout.layout_ps, layout.all_ps) < kLayoutThreshold) continue;
    const double share = Percent(layout.layout_ps, layout.all_ps) / 100;
    const auto ps =
        static_cast<int64_t>(share * static_cast<double>(wall->PartPs(WallKind::compute)));
    Finding finding = DescribeCause(facts, FindingId::layout_changes, *wall, ps);
    finding.values.push_back({"of_ops", share, Unit::fraction});
    finding.values.push_back(Text("opcodes", LargestNames(LargestFirst(layout.opcodes), 2)));
    const std::string program = First(layout.programs);
    const std::string_view main = wall->thread.main_program;
    finding.values.push_back(Text("program", !program.empty() ? program
                                             : main.empty()   ? "all programs"
                                                              : main));
    finding.values.push_back(TextIfAny("function", First(layout.functions)));
    findings->push_back(std::move(finding));
    return {};
  }
  return {};
}

}  // namespace tfprof
