// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Operation types, scopes and graph nodes that have `query.subject` in their name, in any case of
// letters, the costliest first: `micros` is the time of a step of all nodes of the type, in the
// scope, or of the node. A node that is found because its scope is, is not told again. Errors:
// usage (no such step), cancelled.
Result<Report> Find(const StorePtr& store, const Indexes& indexes, const Query& query,
                    Context& context);

// What it answers with.
TableDefs FindTables();

}  // namespace tfprof
