// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

// What compiled programs hold in memory when they hold most, by the compiler's assignment.

namespace tfprof {

// Adds the buffers at the peak of each chosen program, then the programs. Adds a note if no program
// has an assignment. Errors: usage; cancelled.
Result<void> AddProgramMemory(const Indexes& indexes, const Query& query, Report* report,
                              Context& context);

extern const TableDef kProgramBuffersTable;
extern const TableDef kProgramMemoryTable;

}  // namespace tfprof
