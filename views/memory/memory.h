// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Allocator activity: `allocators` with the peak of each, `active_allocations` with the memory held
// at those peaks (analysis/memory/peak.h), `timeline` with every allocation and free. -host picks
// machines, -device allocators by name, -step the events of a step and the peak among them.
Result<Report> Memory(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context);

// Declares its tables.
TableDefs MemoryTables();

}  // namespace tfprof
