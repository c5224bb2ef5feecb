// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "views/causes/wall_cause.h"

// What it costs to compile programs, or to trace them, in the steps.

namespace tfprof {

void AddCompiles(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                 std::vector<Finding>* findings);
void AddTraces(const StepFacts& facts, const std::vector<const HostWall*>& walls,
               std::vector<Finding>* findings);

}  // namespace tfprof
