// SPDX-License-Identifier: Apache-2.0
#include "views/diff/instructions.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/programs.h"
#include "views/columns/fill_columns.h"
#include "views/columns/properties.h"
#include "views/programs/chosen_programs.h"

namespace tfprof {
namespace {

constexpr ColumnDef kChangesColumns[] = {
    TextDef("program", "program", "Program name.").Was("module"),
    TextDef("status", "status", "new, gone, changed or renamed."),
    TextDef("instruction", "instruction", "Instruction name.").Was("hlo_op_name"),
    TextDef("base_instruction", "base name", "Its name in the base, if it was renamed."),
    TextDef("base_opcode", "base opcode", "Opcode in the base; absent for a new one."),
    TextDef("opcode", "opcode", "Opcode; absent for one that is gone."),
    TextDef("base_shape", "base shape", "Type of its result in the base."),
    TextDef("shape", "shape", "Type of its result, with its layout."),
    TextDef("op", "operation", "Framework operation that it came from.").Droppable(),
};

// One side of a pair of programs.
struct SideProgram {
  const Program* program = nullptr;  // null: this side lacks it
  std::map<std::string_view, uint32_t> by_name = {};

  const Instruction& Of(uint32_t at) const { return program->instructions[at]; }
  std::string_view Name(uint32_t at) const { return program->Text(Of(at).name); }
  std::string_view Opcode(uint32_t at) const { return program->Text(Of(at).opcode); }
  std::string_view Op(uint32_t at) const { return program->Text(Of(at).op_name); }
  std::string Shape(uint32_t at) const {
    std::string text;
    AppendType(*program, program->TypeOf(Of(at)), &text);
    return text;
  }
};

struct InstructionChange {
  std::string_view program;
  std::string_view status;
  uint32_t before = Instruction::kNone;
  uint32_t after = Instruction::kNone;
  const SideProgram* base = nullptr;
  const SideProgram* now = nullptr;
};

struct ProgramPair {
  SideProgram before, after;
};

using Pairs = std::map<std::string, ProgramPair, std::less<>>;

Result<void> TakePrograms(const Side& side, std::string_view stage, SideProgram ProgramPair::*to,
                          Pairs* pairs, std::vector<std::shared_ptr<const CompiledPrograms>>* keep,
                          Context& context) {
  TFPROF_ASSIGN(const ChosenPrograms chosen,
                ChoosePrograms(*side.store, side.query.programs, stage));
  TFPROF_ASSIGN(auto programs, side.indexes.Get<CompiledPrograms>(context));
  for (const ModuleId module : chosen.modules) {
    const std::string name(
        WithoutRunNumber(side.store->Text(side.store->modules[module.value].name)));
    SideProgram& program = (*pairs)[name].*to;
    if (program.program != nullptr) continue;  // of equal names, the first one
    program.program = &programs->Of(module);
    for (uint32_t i = 0; i < program.program->instructions.size(); ++i) {
      program.by_name.try_emplace(program.Name(i), i);
    }
  }
  keep->push_back(std::move(programs));
  return {};
}

// Pairs what is left of both sides by everything but the name.
void PairRenamed(const SideProgram& before, const SideProgram& after,
                 std::vector<InstructionChange>* changes, size_t first) {
  std::map<std::tuple<std::string_view, std::string, std::string_view>, std::vector<size_t>> gone;
  for (size_t i = first; i < changes->size(); ++i) {
    const uint32_t at = (*changes)[i].before;
    if ((*changes)[i].status != "gone") continue;
    gone[{before.Opcode(at), before.Shape(at), before.Op(at)}].push_back(i);
  }
  for (auto& [key, rows] : gone) std::ranges::reverse(rows);
  for (size_t i = first; i < changes->size(); ++i) {
    InstructionChange& change = (*changes)[i];
    if (change.status != "new") continue;
    const auto found =
        gone.find({after.Opcode(change.after), after.Shape(change.after), after.Op(change.after)});
    if (found == gone.end() || found->second.empty()) continue;
    InstructionChange& old = (*changes)[found->second.back()];
    found->second.pop_back();
    change.before = old.before;
    change.status = "renamed";
    old.status = {};
  }
  std::erase_if(*changes, [](const InstructionChange& change) { return change.status.empty(); });
}

// Returns the number of instructions that are equal.
int64_t Compare(std::string_view name, const ProgramPair& pair,
                std::vector<InstructionChange>* changes) {
  const size_t first = changes->size();
  int64_t same = 0;
  const SideProgram &before = pair.before, &after = pair.after;
  const size_t count = after.program == nullptr ? 0 : after.program->instructions.size();
  for (uint32_t i = 0; i < count; ++i) {
    const auto found = before.by_name.find(after.Name(i));
    if (found == before.by_name.end()) {
      changes->push_back({name, "new", Instruction::kNone, i, &before, &after});
    } else if (before.Opcode(found->second) != after.Opcode(i) ||
               before.Shape(found->second) != after.Shape(i)) {
      changes->push_back({name, "changed", found->second, i, &before, &after});
    } else {
      ++same;
    }
  }
  for (const auto& [text, at] : before.by_name) {
    if (after.by_name.contains(text)) continue;
    changes->push_back({name, "gone", at, Instruction::kNone, &before, &after});
  }
  if (before.program != nullptr && after.program != nullptr) {
    PairRenamed(before, after, changes, first);
  }
  return same;
}

Table ChangesTable(const std::vector<InstructionChange>& changes, TextPool* pool) {
  Table table = MakeTable(kInstructionChangesTable, changes.size());
  using Change = InstructionChange;
  const auto keep = [&](std::string_view text) { return pool->Keep(std::string(text)); };
  Fill(table, "program", changes, [&](const Change& of) { return keep(of.program); });
  Fill(table, "status", changes, [](const Change& of) { return of.status; });
  Fill(table, "instruction", changes, [&](const Change& of) {
    return keep(of.after != Instruction::kNone ? of.now->Name(of.after) : of.base->Name(of.before));
  });
  Fill(table, "base_instruction", changes, [&](const Change& of) {
    return of.status == "renamed" ? keep(of.base->Name(of.before)) : std::string_view();
  });
  const auto sides = [&](std::string_view base_id, std::string_view id, auto text) {
    Fill(table, base_id, changes, [&](const Change& of) {
      return of.before == Instruction::kNone ? std::string_view() : keep(text(*of.base, of.before));
    });
    Fill(table, id, changes, [&](const Change& of) {
      return of.after == Instruction::kNone ? std::string_view() : keep(text(*of.now, of.after));
    });
  };
  sides("base_opcode", "opcode", [](const SideProgram& of, uint32_t at) { return of.Opcode(at); });
  sides("base_shape", "shape", [](const SideProgram& of, uint32_t at) { return of.Shape(at); });
  Fill(table, "op", changes, [&](const Change& of) {
    return keep(of.after != Instruction::kNone ? of.now->Op(of.after) : of.base->Op(of.before));
  });
  return table;
}

}  // namespace

const TableDef kInstructionChangesTable{"instructions", "changed instructions", kChangesColumns};

bool ComparesInstructions(const Side& before, const Side& after) {
  const ProgramOptions& options = after.query.programs;
  if (!options.stage.empty() || !options.with_stage.empty()) return true;
  const auto is_dump = [](const Store& store) {
    return store.EventCount() == 0 && !store.modules.empty();
  };
  return is_dump(*before.store) && is_dump(*after.store);
}

Result<void> AddInstructionChanges(const Side& before, const Side& after, Report* report,
                                   Context& context) {
  const ProgramOptions& options = after.query.programs;
  Pairs pairs;
  std::vector<std::shared_ptr<const CompiledPrograms>> keep;
  TFPROF_TRY(TakePrograms(before, options.stage, &ProgramPair::before, &pairs, &keep, context));
  const bool both_at_stage = options.with_stage.empty() && before.store != after.store;
  const std::string& stage_after = both_at_stage ? options.stage : options.with_stage;
  TFPROF_TRY(TakePrograms(after, stage_after, &ProgramPair::after, &pairs, &keep, context));
  std::vector<InstructionChange> changes;
  int64_t same = 0;
  for (const auto& [name, pair] : pairs) {
    TFPROF_TRY(Poll(context));
    same += Compare(name, pair, &changes);
  }
  report->tables.push_back(ChangesTable(changes, report->pool.get()));
  AddIntegerProperty({"unchanged_instructions", "unchanged", "instruction"}, same, Unit::count,
                     report);
  return {};
}

}  // namespace tfprof
