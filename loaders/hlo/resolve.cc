// SPDX-License-Identifier: Apache-2.0
#include "loaders/hlo/reading.h"
#include "loaders/id_index.h"
#include "loaders/wire/map_entry.h"

namespace tfprof::hlo {
namespace {

// Maps the id of each row of a range, in `ids`, to the row. Of equal ids the last one counts.
class Places {
 public:
  Places(const std::vector<int64_t>& ids, Range range) {
    for (const uint32_t at : range) rows_.push_back({ids[at], at});
    KeepLast(&rows_);
    index_ = IdIndex(rows_.size(), [&](size_t place) { return rows_[place].key; });
  }
  uint32_t Find(int64_t id, int64_t* dangling) const {
    const uint32_t place = index_.Find(id);
    if (place != IdIndex::kNone) return rows_[place].value;
    ++*dangling;
    return Instruction::kNone;
  }

 private:
  std::vector<MapEntry<int64_t, uint32_t>> rows_;
  IdIndex index_;
};

void ResolveSource(const FrameTables& tables, int64_t frame, Instruction* instruction) {
  const auto in = [](int64_t number, const auto& table) {
    return number >= 1 && static_cast<uint64_t>(number) <= table.size();
  };
  if (!in(frame, tables.location_of_frame)) return;
  const int64_t at = tables.location_of_frame[static_cast<size_t>(frame - 1)];
  if (!in(at, tables.locations)) return;
  const FrameTables::Location& location = tables.locations[static_cast<size_t>(at - 1)];
  if (in(location.function, tables.functions)) {
    instruction->source_function = tables.functions[static_cast<size_t>(location.function - 1)];
  }
  if (!in(location.file, tables.files)) return;
  instruction->source_file = tables.files[static_cast<size_t>(location.file - 1)];
  instruction->source_line = static_cast<int32_t>(location.line);
}

}  // namespace

void Resolve(Reading* reading) {
  Program* program = reading->program;
  const Pending& pending = reading->pending;
  program->references.resize(reading->references.size(), Instruction::kNone);
  const auto look_up = [&](Range range, const Places& places) {
    for (const uint32_t i : range) {
      program->references[i] = places.Find(reading->references[i], &program->dangling);
    }
  };
  const Places computations(pending.computation_ids, {0, Size(program->computations)});
  for (size_t c = 0; c < program->computations.size(); ++c) {
    Computation& computation = program->computations[c];
    const Places instructions(pending.instruction_ids, computation.instructions);
    computation.root = instructions.Find(pending.root_ids[c], &program->dangling);
    for (const uint32_t i : computation.instructions) {
      Instruction& instruction = program->instructions[i];
      look_up(instruction.operands, instructions);
      look_up(instruction.called, computations);
      if (instruction.source_file.count == 0) {
        ResolveSource(pending.sources, pending.frames[i], &instruction);
      }
    }
  }
  int64_t unused = 0;
  program->entry = computations.Find(pending.entry_id, &unused);
}

}  // namespace tfprof::hlo
