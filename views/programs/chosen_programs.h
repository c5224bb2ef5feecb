// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

struct ChosenPrograms {
  std::vector<ModuleId> modules;  // in the order of the store
  int64_t earlier = 0;            // other stages of these programs, not chosen
};

// Returns the programs that -program selects, in the stages whose names contain `stage`; without
// one, in the last stage of each. Errors: usage; no program or no stage has that name.
Result<ChosenPrograms> ChoosePrograms(const Store& store, const ProgramOptions& options,
                                      std::string_view stage);

// "jit_step(12)" without the number, which is that of a recording.
std::string_view WithoutRunNumber(std::string_view program);

}  // namespace tfprof
