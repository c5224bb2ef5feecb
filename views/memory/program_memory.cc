// SPDX-License-Identifier: Apache-2.0
#include "views/memory/program_memory.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "analysis/memory/program_peak.h"
#include "analysis/programs.h"
#include "core/base/sorting.h"
#include "core/store/note_catalogue.h"
#include "views/columns/fill_columns.h"
#include "views/programs/chosen_programs.h"

namespace tfprof {
namespace {

constexpr ColumnDef kBuffersColumns[] = {
    TextDef("program_id", "program ID", "Program ID.").ForMachines(),
    TextDef("program", "program", "Program name.").Was("module"),
    TextDef(
        "region", "region",
        "argument, output, constant or temporary; unused: the part of the temporary memory that "
        "no buffer takes then."),
    BytesDef("allocated_bytes", "size", "Size of the buffer, or of the block that it fills."),
    TextDef("shape", "shape", "Type of its value, with its layout."),
    TextDef("instruction", "instruction", "Instruction that makes it.").Was("hlo_op_name"),
    TextDef("opcode", "opcode", "What the instruction computes.").ForMachines(),
    TextDef("op", "operation", "Framework operation that it came from.").Droppable(),
    TextDef("alive_from", "alive from",
            "First instruction of its life; absent: it is held while the program runs."),
    TextDef("alive_until", "alive until", "Last instruction of its life."),
    IntegerDef("offset_bytes", "offset", Unit::bytes, "Place in its block.").ForMachines(),
    IntegerDef("memory_space", "memory space", Unit::none, "Memory space, 0 is the default.")
        .ForMachines(),
};

constexpr ColumnDef kMemoryColumns[] = {
    TextDef("program_id", "program ID", "Program ID."),
    TextDef("program", "program", "Program name.").Was("module"),
    BytesDef("peak_bytes", "peak", "Memory that the program needs: the sum of the next columns."),
    BytesDef("argument_bytes", "arguments", "Its arguments."),
    BytesDef("output_bytes", "outputs", "Its results; what it updates in place is an argument."),
    BytesDef("temporary_bytes", "temporary", "Memory for values in between."),
    BytesDef("constant_bytes", "constants", "Its constants."),
    BytesDef("unused_bytes", "unused", "Part of `temporary` that no buffer takes at the peak."),
};

struct ProgramRow {
  const Module* module;
  const Program* program;
  ProgramPeak peak;
};

struct BufferRow {
  const ProgramRow* of;
  const HeldBuffer* held;

  const Program& program() const { return *of->program; }
  const BufferAllocation& allocation() const { return program().allocations[held->allocation]; }
  const Buffer* buffer() const {
    return held->buffer == Buffer::kNone ? nullptr : &program().buffers[held->buffer];
  }
  const Instruction* instruction() const {
    const bool known = buffer() != nullptr && buffer()->instruction != Instruction::kNone;
    return known ? &program().instructions[buffer()->instruction] : nullptr;
  }
};

std::string_view RegionOf(const BufferRow& row) {
  if (row.held->is_unused) return "unused";
  switch (row.allocation().use) {
    case MemoryUse::argument: return "argument";
    case MemoryUse::output: return "output";
    case MemoryUse::constant: return "constant";
    case MemoryUse::temporary:
    case MemoryUse::thread_local_use: break;
  }
  return "temporary";
}

std::string ShapeOfBuffer(const BufferRow& row) {
  std::string text;
  const Buffer* buffer = row.buffer();
  if (buffer == nullptr || buffer->type == Buffer::kNone) return text;
  AppendType(row.program(), row.program().types[buffer->type], &text);
  return text;
}

Table BuffersTable(const Store& store, const std::vector<ProgramRow>& programs, TextPool* pool) {
  std::vector<BufferRow> rows;
  for (const ProgramRow& program : programs) {
    for (const HeldBuffer& held : program.peak.held) rows.push_back({&program, &held});
  }
  Table table = MakeTable(kProgramBuffersTable, rows.size());
  const auto keep = [&](std::string_view text) { return pool->Keep(std::string(text)); };
  const auto text = [&](std::string_view id, Range Instruction::*part) {
    Fill(table, id, rows, [&](const BufferRow& row) {
      const Instruction* of = row.instruction();
      return of == nullptr ? std::string_view() : keep(row.program().Text(of->*part));
    });
  };
  const auto moment = [&](std::string_view id, uint32_t HeldBuffer::*at) {
    Fill(table, id, rows, [&](const BufferRow& row) {
      const uint32_t of = row.held->*at;
      return of == Instruction::kNone
                 ? std::string_view()
                 : keep(row.program().Text(row.program().instructions[of].name));
    });
  };
  Fill(table, "program_id", rows,
       [&](const BufferRow& row) { return keep(std::to_string(row.of->module->program_id)); });
  Fill(table, "program", rows, [&](const BufferRow& row) {
    return store.Text(row.of->module->name);
  }).spec.human_readable = programs.size() > 1;
  Fill(table, "region", rows, RegionOf);
  Fill(table, "allocated_bytes", rows, [](const BufferRow& row) { return row.held->bytes; });
  Fill(table, "shape", rows, [&](const BufferRow& row) { return keep(ShapeOfBuffer(row)); });
  text("instruction", &Instruction::name);
  text("opcode", &Instruction::opcode);
  text("op", &Instruction::op_name);
  moment("alive_from", &HeldBuffer::born);
  moment("alive_until", &HeldBuffer::freed);
  Fill(table, "offset_bytes", rows, [](const BufferRow& row) {
    return row.buffer() == nullptr ? kNoInt : row.buffer()->offset;
  });
  Fill(table, "memory_space", rows,
       [](const BufferRow& row) { return row.allocation().memory_space; });
  return table;
}

Table MemoryTable(const Store& store, const std::vector<ProgramRow>& programs, TextPool* pool) {
  Table table = MakeTable(kProgramMemoryTable, programs.size());
  Fill(table, "program_id", programs,
       [&](const ProgramRow& row) { return pool->Keep(std::to_string(row.module->program_id)); });
  Fill(table, "program", programs,
       [&](const ProgramRow& row) { return store.Text(row.module->name); });
  Fill(table, "peak_bytes", programs, [](const ProgramRow& row) { return row.peak.Total(); });
  const auto use = [&](std::string_view id, MemoryUse of) {
    Fill(table, id, programs, [&](const ProgramRow& row) { return row.peak.Of(of); });
  };
  use("argument_bytes", MemoryUse::argument);
  use("output_bytes", MemoryUse::output);
  use("temporary_bytes", MemoryUse::temporary);
  use("constant_bytes", MemoryUse::constant);
  Fill(table, "unused_bytes", programs,
       [](const ProgramRow& row) { return row.peak.unused_bytes; });
  return table;
}

}  // namespace

const TableDef kProgramBuffersTable{"program_buffers", "buffers at the peak of programs",
                                    kBuffersColumns};
const TableDef kProgramMemoryTable{"program_memory", "memory of programs", kMemoryColumns};

Result<void> AddProgramMemory(const Indexes& indexes, const Query& query, Report* report,
                              Context& context) {
  const Store& store = *report->store;
  TFPROF_ASSIGN(const ChosenPrograms chosen,
                ChoosePrograms(store, query.programs, query.programs.stage));
  TFPROF_ASSIGN(const auto programs, indexes.Get<CompiledPrograms>(context));
  std::vector<ProgramRow> rows;
  for (const ModuleId module : chosen.modules) {
    TFPROF_TRY(Poll(context));
    const Program& program = programs->Of(module);
    if (program.allocations.empty()) continue;
    rows.push_back({&store.modules[module.value], &program, PeakOfProgram(program)});
  }
  StableSort(rows, std::greater(), [](const ProgramRow& row) { return row.peak.Total(); });
  report->notes.insert(report->notes.end(), programs->notes.begin(), programs->notes.end());
  if (rows.empty()) report->notes.push_back({note::no_buffers, 1, "", kNoInt});
  report->tables.push_back(BuffersTable(store, rows, report->pool.get()));
  report->tables.push_back(MemoryTable(store, rows, report->pool.get()));
  return {};
}

}  // namespace tfprof
