// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/ops/input_ops.h"
#include "views/advice/checker.h"

namespace tfprof {

// So much that how the input is made matters.
bool WaitsForInput(const StepAnswer& steps);

// The operations of a trace that make its input, with their own times, and how the costliest of
// them works; `place`: of which hosts. Errors: those of FindInputOps.
Result<InputOps> OpsOfWaiting(const StepFacts& facts, const PlaceFilter& place);

}  // namespace tfprof
