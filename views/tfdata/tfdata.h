// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// The input pipelines of tf.data: `bottlenecks` names the iterator that the slowest call of each
// waited for, and what to do; `pipelines`, `calls` and `iterators` have the numbers behind that.
// -host picks machines, -step the calls of a step; -device nothing, pipelines run on hosts.
Result<Report> TfData(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context);

// What it answers with.
TableDefs TfDataTables();

}  // namespace tfprof
