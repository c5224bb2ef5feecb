// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/report/report.h"
#include "core/report/table_def.h"
#include "views/memory/tables.h"

// The memory of allocators over time: for each of equal parts of the time from the first event of
// an allocator to its last, the event after which most was in use.

namespace tfprof {

Table OverTimeTable(const MemoryCells& tables);

// Bytes in use of the allocators with the largest peaks, which come first, and their fragmentation
// where it was recorded and not always 0: a curve each.
std::vector<Chart> MemoryCurves(const MemoryCells& tables);

extern const TableDef kOverTimeTable;

}  // namespace tfprof
