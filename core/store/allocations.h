// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

// The allocations of all executions, read from the sources: of one event in the order of its
// record, else in no order. Texts live as long as the store. Errors: cancelled; corrupt (a file
// became shorter meanwhile).
Result<std::vector<Allocation>> ReadAllocations(const Store& store, Context& context);

}  // namespace tfprof
