// SPDX-License-Identifier: Apache-2.0
#include "views/advice/input_cause.h"

namespace tfprof {

Result<InputOps> OpsOfWaiting(const Checking& checking, const Query& places) {
  const Store& trace = checking.trace->trace;
  const Indexes& recorded = checking.recorded;
  TFPROF_ASSIGN(InputOps ops, FindInputOps(trace, recorded, places, checking.context));
  TFPROF_TRY(AddOwnTimes(trace, recorded, places, &ops, checking.context));
  TFPROF_ASSIGN(ops.of_costliest, FactsOfCostliest(trace, recorded, ops, places, checking.context));
  return ops;
}

}  // namespace tfprof
