// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// The most expensive operation types, and how their time varies. Rows: types with counting nodes,
// by time (if none was measured, by node count). Columns: `micros` and `runs` are those of the op
// view: each node's average over the steps in which it ran. share and cumulative share refer to all
// rows; per run is micros / runs; min, median and max are over sums of the type in single steps.
// Errors: usage (no such step), cancelled.
Result<Report> Top(const StorePtr& store, const Indexes& indexes, const Query& query,
                   Context& context);

// Declares its tables.
TableDefs TopTables();

}  // namespace tfprof
