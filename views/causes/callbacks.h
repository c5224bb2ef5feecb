// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "views/causes/wall_cause.h"

// What it costs that programs wait for functions of Python, printing or summaries.

namespace tfprof {

void AddCallbacks(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                  std::vector<Finding>* findings);

}  // namespace tfprof
