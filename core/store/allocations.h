// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

// Reads the allocations of all executions from the sources: those of one event in the order of its
// record, events in any order. Texts live as long as the store. Errors: cancelled; corrupt (a file
// was truncated since it was opened).
Result<std::vector<Allocation>> ReadAllocations(const Store& store, Context& context);

}  // namespace tfprof
