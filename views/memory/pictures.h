// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/report/picture.h"
#include "views/memory/tables.h"

namespace tfprof {

// Returns the memory in use over time of the allocators with the largest peaks, a curve each: the
// max in each of equal parts of the time from their first event to their last.
std::vector<Picture> CurvesInUse(const MemoryCells& tables);

}  // namespace tfprof
