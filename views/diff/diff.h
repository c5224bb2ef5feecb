// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Changes since `query.diff.base`, a profile opened as the base. Rows: those of `query.view` (op;
// scope, code, graph) on either side, paired by name (code: by the frames down to it), by the
// change of the first selected measure, descending. Columns: `status` (new, gone, changed, same)
// and for each selected measure X: base_X, X, change_X (this profile minus the base; a row on one
// side only has 0 on the other), change_X_pct (of the base; absent if the base has none). Values
// are totals of a row per step. Sums of traces cover the whole trace; they are divided by each
// trace's steps if both have some. Table `step`: the mean duration of steps on both sides, if
// either has steps. Properties, with -fail-if: `exceeded` and `kept`, the limits with the compared
// values. Errors: usage (no base, a limit that matches nothing, no such step), cancelled.
Result<Report> Diff(const StorePtr& store, const Indexes& indexes, const Query& query,
                    Context& context);

// Declares its tables; the first table is named after `query.view`.
TableDefs DiffTables();

}  // namespace tfprof
