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

// Returns the entry with that number, from 1; null: there is none.
template <class T>
const T* EntryOf(int64_t number, const std::vector<T>& table) {
  const bool known = number >= 1 && static_cast<uint64_t>(number) <= table.size();
  return known ? &table[static_cast<size_t>(number - 1)] : nullptr;
}

void ResolveFrames(const FrameTables& tables, Program* program) {
  for (const FrameTables::Frame& of : tables.frames) {
    SourceFrame& frame = program->frames.emplace_back();
    if (EntryOf(of.caller, tables.frames) != nullptr) {
      frame.caller = static_cast<uint32_t>(of.caller - 1);
    }
    const FrameTables::Location* location = EntryOf(of.location, tables.locations);
    if (location == nullptr) continue;
    if (const Range* file = EntryOf(location->file, tables.files)) frame.file = *file;
    if (const Range* name = EntryOf(location->function, tables.functions)) frame.function = *name;
    frame.line = static_cast<int32_t>(location->line);
  }
}

void ResolveSource(const Program& program, int64_t frame, Instruction* instruction) {
  const SourceFrame* innermost = EntryOf(frame, program.frames);
  if (innermost == nullptr) return;
  instruction->frame = static_cast<uint32_t>(frame - 1);
  if (instruction->source_file.count > 0 || innermost->file.count == 0) return;
  instruction->source_file = innermost->file;
  instruction->source_line = innermost->line;
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
  ResolveFrames(pending.sources, program);
  const Places computations(pending.computation_ids, {0, Size(program->computations)});
  for (size_t c = 0; c < program->computations.size(); ++c) {
    Computation& computation = program->computations[c];
    const Places instructions(pending.instruction_ids, computation.instructions);
    computation.root = instructions.Find(pending.root_ids[c], &program->dangling);
    for (const uint32_t i : computation.instructions) {
      Instruction& instruction = program->instructions[i];
      look_up(instruction.operands, instructions);
      look_up(instruction.called, computations);
      ResolveSource(*program, pending.frames[i], &instruction);
    }
  }
  int64_t unused = 0;
  program->entry = computations.Find(pending.entry_id, &unused);
}

}  // namespace tfprof::hlo
