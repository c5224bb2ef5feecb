// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/base/arith.h"
#include "core/base/column.h"
#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// FLOPs of the operations that hosts called: as logged, else by the rules of call_flops.h from the
// recorded shapes. An operation that calls others counts for nothing where theirs are known: a
// number that it logs goes to the one below it, if there is only one.
struct EventFlops {
  Column<int64_t> flops;   // by event; kNoInt: unknown, or counted by others. Empty: none is known
  Column<uint32_t> owner;  // by event: the innermost one around it, or itself, with flops; kNoRow

  bool empty() const { return flops.empty(); }

  // An index. Error: cancelled.
  static Result<EventFlops> Build(const Indexes& indexes, Context& context);
};

}  // namespace tfprof
