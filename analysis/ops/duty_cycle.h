// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// Percent of the time from the first start to the last end of operations and programs. NaN: there
// is no TPU.
struct DutyCycle {
  // The time of operations that neither receive from nor send to the host
  // (xprof/utils/duty_cycle_tracker.cc).
  double percent = kNoReal;
  // Without async-done operations (analysis/ops/async_done.h).
  double without_stalls_percent = kNoReal;
};

// Averages over the TPUs selected by -host and -device. Error: cancelled.
Result<DutyCycle> DutyCycleOf(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                              Context& context);

}  // namespace tfprof
