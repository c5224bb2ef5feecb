// SPDX-License-Identifier: Apache-2.0
#include "views/advice/input_cause.h"

namespace tfprof {

Result<InputOps> OpsOfWaiting(const Checking& checking, const PlaceFilter& place) {
  const Store& trace = checking.trace->trace;
  const Indexes& recorded = checking.recorded;
  TFPROF_ASSIGN(InputOps ops, FindInputOps(trace, recorded, place, checking.context));
  TFPROF_TRY(AddOwnTimes(trace, recorded, place, &ops, checking.context));
  TFPROF_ASSIGN(ops.of_costliest, FactsOfCostliest(trace, recorded, ops, place, checking.context));
  return ops;
}

}  // namespace tfprof
