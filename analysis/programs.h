// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/hlo/program.h"
#include "core/store/store.h"

namespace tfprof {

// An index: the compiled programs of a profile, by ModuleId. A damaged program is empty, and a note
// reports it.
struct CompiledPrograms {
  std::vector<Program> programs;
  std::vector<std::vector<uint32_t>> by_name;  // instructions of a program, ascending by name
  std::vector<Note> notes;
  int64_t damaged = 0;  // programs that could not be read

  const Program& Of(ModuleId module) const { return programs[module.value]; }
  // kNone: it has no such instruction. Names are unique in a module; of duplicates, returns the
  // first.
  uint32_t Find(ModuleId module, std::string_view instruction) const;

  // Reads all programs, on several threads. Error: cancelled.
  static Result<CompiledPrograms> Build(const Store& store, Context& context);
};

// Returns the module with that number, on the same host if there are several; none: there is none.
ModuleId FindModule(const Store& store, HostId host, uint64_t program_id);

// Returns the framework operation that an instruction came from, NAME:TYPE (core/store/op_name.h);
// empty: not recorded.
std::string OpTextOf(const Program& program, const Instruction& instruction);

}  // namespace tfprof
