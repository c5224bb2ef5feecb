// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "views/causes/wall_cause.h"

// What it costs to wait for each result, or for devices many times a step.

namespace tfprof {

void AddWaitsForResults(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                        std::vector<Finding>* findings);
void AddWaitsForDevices(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                        std::vector<Finding>* findings);

}  // namespace tfprof
