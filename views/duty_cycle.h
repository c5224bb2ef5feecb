// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/context.h"
#include "core/query.h"
#include "core/store.h"

namespace tfprof {

class Indexes;

// Of the TPUs that -host and -device let through: in percent, the time in which an operation runs
// that neither fetches from nor sends to the host, of the time from the first start to the last
// end of operations and programs (xprof/utils/duty_cycle_tracker.cc). NaN: there is no such TPU.
Result<double> DutyCyclePercent(const Store& store, const Indexes& indexes, const Query& query,
                                Context& context);

}  // namespace tfprof
