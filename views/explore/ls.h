// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// The direct members of a scope, by time, descending. The scope is `query.subject`, else -under,
// else the whole profile. Rows: scopes (names end with a slash) and nodes, with the time per step
// of all their nodes, the share of the scope, and the number of nodes. Errors: usage (no such
// scope, no such step), cancelled.
Result<Report> ListScope(const StorePtr& store, const Indexes& indexes, const Query& query,
                         Context& context);

// Declares its tables.
TableDefs ListScopeTables();

}  // namespace tfprof
