// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/ops/input_ops.h"
#include "views/advice/checker.h"

namespace tfprof {

// True if the steps wait long enough for input that its production matters.
bool WaitsForInput(const StepAnswer& steps);

// Returns the operations of a trace that produce its input, with self times and facts of the most
// expensive one. `place`: selects their hosts. Errors: those of FindInputOps.
Result<InputOps> OpsOfWaiting(const StepFacts& facts, const PlaceFilter& place);

}  // namespace tfprof
