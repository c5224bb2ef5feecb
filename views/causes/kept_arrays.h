// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "views/causes/wall_cause.h"

namespace tfprof {

// Bytes and arrays are no matter of chance.
inline constexpr size_t kMinStepsOfMemory = 4;
// A leak that needs more steps to fill the memory is none.
inline constexpr int64_t kStepsOfTraining = 1'000'000;

// Adds a finding if each step makes more arrays than are freed. Errors: those of ArraysOn and
// MemoryEvents.
Result<void> AddKeptArrays(const StepFacts& facts, const HostWall& wall,
                           std::vector<Finding>* findings);

}  // namespace tfprof
