// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "views/advice/checker.h"

namespace tfprof {

// Of the allocator that had most in use: who held that at the moment of its peak. Nothing where no
// allocations were recorded.
Result<void> AddPeakHolders(const Checking& checking, std::vector<Finding>* findings);

}  // namespace tfprof
