// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// The operation types that cost most, and how steadily. Rows: types with nodes that count, by time
// (where none was measured, by their number). Columns: `micros`
// and `runs` are those of the op view: each node's average over the steps in which it ran; share
// and running share are of all rows; per run is their quotient; least, median and most are sums of
// the type in single steps. Errors: usage (no such step), cancelled.
Result<Report> Top(const StorePtr& store, const Indexes& indexes, const Query& query,
                   Context& context);

// What it answers with.
TableDefs TopTables();

}  // namespace tfprof
