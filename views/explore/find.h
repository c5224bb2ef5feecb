// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Operation types, scopes and graph nodes whose names contain `query.subject`, ignoring case, by
// time, descending. `micros` is the time per step of all nodes of the type, of the scope, or of the
// node. A node is not listed again if its scope is. Errors: usage (no such step), cancelled.
Result<Report> Find(const StorePtr& store, const Indexes& indexes, const Query& query,
                    Context& context);

// Declares its tables.
TableDefs FindTables();

}  // namespace tfprof
