// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "analysis/ops/input_ops.h"

#include "views/causes/wall_cause.h"

namespace tfprof {

// The finding that steps, or the capture, wait for input, by the wall time of the host that waits
// most; none: it takes less than kInputThreshold, or `other_percent`, the share of the parts of
// steps, says the same.
Result<std::optional<Finding>> InputOfWall(const StepFacts& facts, double other_percent);

// Adds to a finding about input what makes it, by the wall time of the host that waits most: a
// loader, and the function of the program that it calls.
Result<void> AddLoader(const StepFacts& facts, Finding* finding);

// Likewise: the stage of the pipeline that takes the most time,
// whether Python runs in it, and whether the step runs it itself.
void AddStage(const InputOps& ops, Finding* finding);

}  // namespace tfprof
