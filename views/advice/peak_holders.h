// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "views/advice/checker.h"

namespace tfprof {

// Adds a finding on which operations held memory at the peak of the allocator with the largest one.
// Adds nothing if no allocations were recorded.
Result<void> AddPeakHolders(const Checking& checking, std::vector<Finding>* findings);

}  // namespace tfprof
