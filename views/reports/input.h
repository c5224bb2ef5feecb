// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Analyzes whether the program waits for its input, and for which part. Tables: steps
// (views/steps/answer.h); host_ops: operations of the input pipeline on the hosts; advice: the
// fixes, with reasons.
Result<Report> Input(const StorePtr& store, const Indexes& indexes, const Query& query,
                     Context& context);

// Declares its tables.
TableDefs InputTables();

}  // namespace tfprof
