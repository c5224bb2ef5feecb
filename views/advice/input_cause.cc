// SPDX-License-Identifier: Apache-2.0
#include "views/advice/input_cause.h"

#include "analysis/steps/thresholds.h"
#include "views/advice/class_sums.h"

namespace tfprof {

bool WaitsForInput(const StepAnswer& steps) {
  return !steps.overlap && ShareOf(steps, StepClass::input_wait) >= kModerateInput;
}

Result<InputOps> OpsOfWaiting(const StepFacts& facts, const PlaceFilter& place) {
  TFPROF_ASSIGN(InputOps ops, FindInputOps(facts.trace, facts.indexes, place, facts.context));
  TFPROF_TRY(AddOwnTimes(facts.trace, facts.indexes, place, &ops, facts.context));
  TFPROF_ASSIGN(ops.of_costliest,
                FactsOfCostliest(facts.trace, facts.indexes, ops, place, facts.context));
  return ops;
}

}  // namespace tfprof
