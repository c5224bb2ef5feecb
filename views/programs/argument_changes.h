// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/programs.h"
#include "core/store/store.h"

// Why a function was compiled several times: what its programs take.

namespace tfprof {

// Returns the programs of a function: those that have its name, as compilers write it.
std::vector<ModuleId> ProgramsOf(const Store& store, std::string_view function);

// Describes the arguments in which programs differ: "x: f32[16,64], f32[17,64]". Empty: there are
// fewer than two programs, or their instructions are not recorded.
std::string DescribeArgumentChanges(const CompiledPrograms& compiled,
                                    std::span<const ModuleId> programs);

}  // namespace tfprof
