// SPDX-License-Identifier: Apache-2.0
#include "views/programs/instructions.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/base/nearest.h"
#include "core/store/note_catalogue.h"
#include "views/columns/fill_columns.h"
#include "views/programs/chosen_programs.h"
#include "views/programs/neighbors.h"

namespace tfprof {
namespace {

constexpr ColumnDef kProgramId = TextDef("program_id", "program ID", "Program ID.").ForMachines();
constexpr ColumnDef kProgram = TextDef("program", "program", "Program name.").Was("module");
constexpr ColumnDef kStage =
    TextDef("stage", "stage", "Stage of its compilation; absent in a trace.");
constexpr ColumnDef kComputation =
    TextDef("computation", "computation", "Computation that contains it.");
constexpr ColumnDef kInstruction =
    TextDef("instruction", "instruction", "Instruction name.").Was("hlo_op_name");
constexpr ColumnDef kOpcode = TextDef("opcode", "opcode", "What it computes: dot, fusion, ...");
constexpr ColumnDef kCategory = TextDef("category", "category", "HLO category.").ForMachines();
constexpr ColumnDef kShape = TextDef("shape", "shape", "Type of its result, with its layout.");
constexpr ColumnDef kOp =
    TextDef("op", "operation", "Framework operation that it came from.").Droppable();
constexpr ColumnDef kSource =
    TextDef("source", "source", "Source line that created it.").ForMachines();
constexpr ColumnDef kRuns =
    CountDef("runs", "runs", "Executions; absent for an instruction that did not run by itself.");
constexpr ColumnDef kTime =
    TimeDef("time_us", "self time",
            "Duration minus that of nested instructions; absent if it did not run.");
constexpr ColumnDef kText = TextDef("text", "text", "Instruction, as XLA prints it.").ForMachines();
constexpr ColumnDef kOperands =
    ListDef("operands", "operands", "Instructions whose results it reads.").ForMachines();
constexpr ColumnDef kCalled =
    ListDef("called", "called", "Computations that it fuses or calls.").ForMachines();

constexpr ColumnDef kInstructionsColumns[] = {
    kProgramId,
    kProgram,
    kStage,
    kComputation,
    BooleanDef("is_entry", "entry", "True in the computation where the program begins.")
        .ForMachines(),
    BooleanDef("is_root", "root", "True if it makes the result of its computation.").ForMachines(),
    kInstruction,
    kOpcode,
    kCategory,
    kShape,
    kOp,
    kSource,
    kRuns,
    kTime,
    kText,
    kOperands,
    kCalled,
};

constexpr ColumnDef kNeighborsColumns[] = {
    kProgramId,
    kProgram,
    kStage,
    IntegerDef("distance", "distance", Unit::none,
               "Number of operands (below 0) or users between it and the instruction."),
    TextDef("relation", "relation",
            "operand, itself, user, or fused: in a computation that the instruction calls."),
    kComputation,
    kInstruction,
    kOpcode,
    kCategory,
    kShape,
    kOp,
    kSource,
    kRuns,
    kTime,
    kText,
    kOperands,
    kCalled,
};

struct InstructionRow {
  ModuleId module;
  Neighbor of;
  const OpTime* ran = nullptr;  // null: it did not run
};

struct Rows {
  const Store& store;
  const CompiledPrograms& programs;
  TextPool& pool;
  std::vector<InstructionRow> rows = {};

  const Program& ProgramOf(const InstructionRow& row) const { return programs.Of(row.module); }
  const Instruction& Of(const InstructionRow& row) const {
    return ProgramOf(row).instructions[row.of.instruction];
  }
  const Computation& ComputationOf(const InstructionRow& row) const {
    return ProgramOf(row).computations[Of(row).computation];
  }
  std::string_view Keep(std::string text) const { return pool.Keep(std::move(text)); }
  std::string_view Keep(std::string_view text) const { return pool.Keep(std::string(text)); }
};

std::string SourceOf(const Program& program, const Instruction& of) {
  if (of.source_file.count == 0) return {};
  return std::string(program.Text(of.source_file)) + ":" + std::to_string(of.source_line);
}

std::string ShapeOf(const Program& program, const Instruction& of) {
  std::string text;
  AppendType(program, program.TypeOf(of), &text);
  return text;
}

// A column is shown if its cells differ.
void ShowIfSeveral(ReportColumn* column) {
  const auto& texts = column->texts;
  column->spec.human_readable =
      std::ranges::any_of(texts, [&](std::string_view text) { return text != texts.front(); });
}

void AddPlaces(const Rows& rows, Table* table) {
  const auto module = [&](const InstructionRow& row) -> const Module& {
    return rows.store.modules[row.module.value];
  };
  Fill(*table, "program_id", rows.rows, [&](const InstructionRow& row) {
    return rows.Keep(std::to_string(module(row).program_id));
  });
  ShowIfSeveral(&Fill(*table, "program", rows.rows, [&](const InstructionRow& row) {
    return rows.store.Text(module(row).name);
  }));
  ShowIfSeveral(&Fill(*table, "stage", rows.rows, [&](const InstructionRow& row) {
    return rows.store.Text(module(row).stage);
  }));
}

void AddFacts(const Rows& rows, Table* table) {
  const auto text = [&](std::string_view id, auto of) {
    return Fill(*table, id, rows.rows, [&](const InstructionRow& row) {
      return rows.Keep(of(rows.ProgramOf(row), rows.Of(row)));
    });
  };
  using P = const Program&;
  using I = const Instruction&;
  text("instruction", [](P program, I of) { return program.Text(of.name); });
  text("opcode", [](P program, I of) { return program.Text(of.opcode); });
  text("category", [](P program, I of) { return CategoryOf(program, of); });
  text("shape", ShapeOf);
  text("op", [](P program, I of) { return program.Text(of.op_name); });
  text("source", SourceOf);
  const bool any_ran =
      std::ranges::any_of(rows.rows, [](const InstructionRow& row) { return row.ran; });
  Fill(*table, "runs", rows.rows, [](const InstructionRow& row) {
    return row.ran == nullptr ? kNoInt : row.ran->occurrences;
  }).spec.human_readable = any_ran;
  Fill(*table, "time_us", rows.rows, [](const InstructionRow& row) {
    return row.ran == nullptr ? kNoInt : row.ran->self_ps;
  }).spec.human_readable = any_ran;
  text("text", InstructionText);
  const auto list = [&](std::string_view id, Range Instruction::*references, auto name_of) {
    ReportColumn& column = AddColumn(*table, id);
    for (const InstructionRow& row : rows.rows) {
      std::vector<std::string_view>& names = column.lists.emplace_back();
      const Program& program = rows.ProgramOf(row);
      for (const uint32_t at : program.References(rows.Of(row).*references)) {
        if (at != Instruction::kNone)
          names.push_back(rows.Keep(program.Text(name_of(program, at))));
      }
    }
  };
  list("operands", &Instruction::operands,
       [](P program, uint32_t at) { return program.instructions[at].name; });
  list("called", &Instruction::called,
       [](P program, uint32_t at) { return program.computations[at].name; });
}

Table AllTable(const Rows& rows) {
  Table table = MakeTable(kInstructionsTable, rows.rows.size());
  AddPlaces(rows, &table);
  Fill(table, "computation", rows.rows, [&](const InstructionRow& row) {
    return rows.Keep(rows.ProgramOf(row).Text(rows.ComputationOf(row).name));
  });
  Fill(table, "is_entry", rows.rows, [&](const InstructionRow& row) {
    return int64_t{rows.Of(row).computation == rows.ProgramOf(row).entry};
  });
  Fill(table, "is_root", rows.rows, [&](const InstructionRow& row) {
    return int64_t{row.of.instruction == rows.ComputationOf(row).root};
  });
  AddFacts(rows, &table);
  return table;
}

Table NeighborsTable(const Rows& rows) {
  Table table = MakeTable(kNeighborsTable, rows.rows.size());
  AddPlaces(rows, &table);
  Fill(table, "distance", rows.rows, [](const InstructionRow& row) { return row.of.distance; });
  Fill(table, "relation", rows.rows, [](const InstructionRow& row) { return row.of.relation; });
  ShowIfSeveral(&Fill(table, "computation", rows.rows, [&](const InstructionRow& row) {
    return rows.Keep(rows.ProgramOf(row).Text(rows.ComputationOf(row).name));
  }));
  AddFacts(rows, &table);
  return table;
}

// Instructions that ran, by program and name.
using RanByName = std::map<std::pair<uint64_t, std::string_view>, const OpTime*>;

Failure NoInstruction(const CompiledPrograms& programs, const ChosenPrograms& chosen,
                      const std::string& name) {
  std::vector<std::string_view> names;
  for (const ModuleId module : chosen.modules) {
    const Program& program = programs.Of(module);
    for (const Instruction& of : program.instructions) names.push_back(program.Text(of.name));
  }
  const std::string near = Nearest(name, names);
  return Fail(ErrorKind::usage, "-instruction: no instruction named '" + name + "'", {},
              near.empty() ? "hlo -all lists the instructions" : "did you mean '" + near + "'?");
}

}  // namespace

const TableDef kInstructionsTable{"instructions", "all instructions", kInstructionsColumns};
const TableDef kNeighborsTable{"neighbors", "", kNeighborsColumns};

Result<void> AddInstructions(const CompiledPrograms& programs, std::span<const OpTime> ran,
                             const Query& query, Report* report, Context& context) {
  const ProgramOptions& options = query.programs;
  const Store& store = *report->store;
  TFPROF_ASSIGN(const ChosenPrograms chosen, ChoosePrograms(store, options, options.stage));
  RanByName by_name;
  for (const OpTime& op : ran) {
    by_name.try_emplace({op.xla->program_id, op.xla->name}, &op);
  }
  const bool is_one = !options.instruction.empty();
  Rows rows{store, programs, *report->pool};
  const auto add = [&](ModuleId module, const Neighbor& of) {
    const Program& program = programs.Of(module);
    const std::string_view name = program.Text(program.instructions[of.instruction].name);
    const auto found = by_name.find({store.modules[module.value].program_id, name});
    rows.rows.push_back({module, of, found == by_name.end() ? nullptr : found->second});
  };
  for (const ModuleId module : chosen.modules) {
    TFPROF_TRY(Poll(context));
    const Program& program = programs.Of(module);
    if (!is_one) {
      for (uint32_t i = 0; i < program.instructions.size(); ++i) add(module, {i, {}});
      continue;
    }
    const uint32_t at = programs.Find(module, options.instruction);
    if (at == Instruction::kNone) continue;
    for (const Neighbor& of : NeighborsOf(program, at, options.width)) add(module, of);
  }
  if (is_one && rows.rows.empty()) return NoInstruction(programs, chosen, options.instruction);
  report->tables.push_back(is_one ? NeighborsTable(rows) : AllTable(rows));
  if (chosen.earlier > 0) report->notes.push_back({note::other_stages, chosen.earlier, "", kNoInt});
  return {};
}

}  // namespace tfprof
