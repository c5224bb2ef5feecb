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

// True for a finding about what the host does while devices are idle. Where no input pipeline was
// recorded, that may be making input.
bool MayBeInput(const Finding& finding);

// Where the parts of the steps show no input but a finding does, lets the verdict agree, but for
// -ids original. Where nothing shows input, the verdict has the largest finding that may be input.
void AgreeOnInput(const std::vector<Finding>& findings, const Query& query, Report* report);

}  // namespace tfprof
