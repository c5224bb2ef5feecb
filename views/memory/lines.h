// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/report/report.h"
#include "core/report/table_def.h"
#include "views/memory/tables.h"

namespace tfprof {

extern const TableDef kLinesTable;

// Adds what each line of code holds at the peak of its allocator, if any line is recorded.
void AddLines(const MemoryCells& tables, Report* report);

}  // namespace tfprof
