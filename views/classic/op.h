// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// Cost by operation type, one row per type that has an accounted node.
// tables[0] "op": name, accounted, self and (equal) total of every measure, and for all but
// occurrence `classic_remainder_<measure>`: the sum of the row and all rows below it, which the
// thresholds test and classic text prints as the first percentage. device and op_types if selected.
// Like the original, the view considers max_depth + 1 rows, hidden ones included. A profile without
// nodes has one row, `_TFProfRoot`, not accounted, which is synthetic (Table::made_up_root).
// tables[1] "input_shapes" if selected: for each row of the first table (column row) and each
// combination of input shapes (`0:2x3`, `1:unknown`), the runs, definitions and time of its nodes,
// ordered by runs, descending.
Result<Report> Op(const StorePtr& store, const Indexes& indexes, const Query& query,
                  Context& context);

}  // namespace tfprof
