// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Input pipelines of tf.data: `bottlenecks` names the iterator that the slowest call of each
// pipeline waited for, and the fix; `pipelines`, `calls` and `iterators` have the figures. -host
// picks machines, -step the calls of a step; -device picks nothing, since pipelines run on hosts.
Result<Report> TfData(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context);

// Declares its tables.
TableDefs TfDataTables();

}  // namespace tfprof
