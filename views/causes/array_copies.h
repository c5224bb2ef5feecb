// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "views/causes/wall_cause.h"

namespace tfprof {

// Part of LayoutChecker: kernels that copy arrays, for operations that need another layout or type.
// Errors: cancelled; those of LaunchOps.
Result<void> AddArrayCopies(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                            std::vector<Finding>* findings);

}  // namespace tfprof
