// SPDX-License-Identifier: Apache-2.0
#include "analysis/programs.h"

#include <algorithm>

#include "core/base/parallel.h"
#include "core/base/sorting.h"
#include "core/store/note_catalogue.h"

namespace tfprof {
namespace {

std::vector<uint32_t> SortByName(const Program& program) {
  return StableOrder(program.instructions.size(), [&](uint32_t a, uint32_t b) {
    return program.Text(program.instructions[a].name) < program.Text(program.instructions[b].name);
  });
}

void NoteDangling(const Store& store, CompiledPrograms* all) {
  int64_t references = 0;
  std::string first;
  for (size_t i = 0; i < all->programs.size(); ++i) {
    if (all->programs[i].dangling == 0) continue;
    if (first.empty()) first = store.Text(store.modules[i].name);
    references += all->programs[i].dangling;
  }
  if (references == 0) return;
  all->notes.push_back({note::dangling_instructions, references, first});
}

}  // namespace

uint32_t CompiledPrograms::Find(ModuleId module, std::string_view instruction) const {
  const Program& program = programs[module.value];
  const std::vector<uint32_t>& order = by_name[module.value];
  const auto name = [&](uint32_t i) { return program.Text(program.instructions[i].name); };
  const auto found = std::ranges::lower_bound(order, instruction, {}, name);
  return found != order.end() && name(*found) == instruction ? *found : Instruction::kNone;
}

Result<CompiledPrograms> CompiledPrograms::Build(const Store& store, Context& context) {
  const size_t modules = store.modules.size();
  CompiledPrograms all;
  all.programs.resize(modules);
  all.by_name.resize(modules);
  std::vector<Error> errors(modules);
  uint64_t bytes = 0;
  for (const Source& source : store.sources) bytes += source.bytes;
  TFPROF_TRY(ForEachTask(modules, ThreadsFor(bytes), context, [&](size_t i) {
    Result<Program> program = ReadProgram(store, ModuleId(i));
    if (!program) {
      errors[i] = std::move(program).error();
      return;
    }
    all.programs[i] = std::move(*program);
    all.by_name[i] = SortByName(all.programs[i]);
  }));
  for (const Error& error : errors) {
    if (error.what.empty()) continue;
    ++all.damaged;
    all.notes.push_back({note::With(note::unreadable_program, {error.what}), 1, error.where});
  }
  NoteDangling(store, &all);
  return all;
}

ModuleId FindModule(const Store& store, HostId host, uint64_t program_id) {
  ModuleId elsewhere;
  for (size_t i = 0; i < store.modules.size(); ++i) {
    const Module& module = store.modules[i];
    if (module.program_id != program_id) continue;
    if (store.processes[module.process.value].host == host) return ModuleId(i);
    if (!elsewhere.some()) elsewhere = ModuleId(i);
  }
  return elsewhere;
}

std::string OpTextOf(const Program& program, const Instruction& instruction) {
  if (instruction.op_name.count == 0) return {};
  std::string text(program.Text(instruction.op_name));
  text.push_back(':');
  text.append(program.Text(instruction.op_type));
  return text;
}

}  // namespace tfprof
