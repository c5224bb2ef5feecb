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
  // In which an operation runs that neither fetches from nor sends to the host
  // (xprof/utils/duty_cycle_tracker.cc).
  double percent = kNoReal;
  // The same without operations that only await others (analysis/ops/async_done.h).
  double without_waiting_percent = kNoReal;
};

// Of the TPUs that -host and -device let through. Error: cancelled.
Result<DutyCycle> DutyCycleOf(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                              Context& context);

}  // namespace tfprof
