// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// What is directly in a scope, the costliest first: in `query.subject`, else in -under, else in the
// whole profile. Rows: scopes (names end with a slash) and nodes, with the time of a step of all
// nodes in them, its share of the scope, and how many those are. Errors: usage (no such scope, no
// such step), cancelled.
Result<Report> ListScope(const StorePtr& store, const Indexes& indexes, const Query& query,
                         Context& context);

// What it answers with.
TableDefs ListScopeTables();

}  // namespace tfprof
