// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/report/picture.h"
#include "views/memory/tables.h"

namespace tfprof {

// What the allocators with the largest peaks had in use over time, a curve each: the most within
// each of as many equal parts of the time from their first event to their last.
std::vector<Picture> CurvesInUse(const MemoryCells& tables);

}  // namespace tfprof
