// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// What changed since `query.diff.base`, a profile opened beside this one. Rows: those of the
// question `query.view` (op; scope, code, graph) on either side, paired by name (code: by the
// frames down to it), the largest change of the first selected measure first. Columns: `status`
// (new, gone, changed, same) and for each selected measure X: base_X, X, change_X (this profile
// less the base; one that is on one side only has 0 on the other), change_X_pct (of the base;
// absent where there was nothing). Values are totals of a row, of a step: of traces, whose sums are
// of the whole trace, they are divided by the steps of each where both have some. Table `step`: the
// mean duration of steps on both sides, where one has steps. Properties, with -fail-if: `exceeded`
// and `kept`, the limits with what was compared. Errors: usage (no base, a limit that names
// nothing, no such step), cancelled.
Result<Report> Diff(const StorePtr& store, const Indexes& indexes, const Query& query,
                    Context& context);

// What it answers with; the first table has the name of `query.view`.
TableDefs DiffTables();

}  // namespace tfprof
