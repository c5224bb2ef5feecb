// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/ops/input_ops.h"
#include "views/advice/checker.h"

namespace tfprof {

// The operations of a trace that make its input, with their own times, and how the costliest of
// them works; `places`: of which hosts. Errors: those of FindInputOps.
Result<InputOps> OpsOfWaiting(const Checking& checking, const PlaceFilter& place);

}  // namespace tfprof
