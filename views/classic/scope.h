// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// Nodes by the parts of their names: one tree table `scope`. Self values are those of the row's own
// node; totals cover all counting nodes below it. Row 0 is the root.
Result<Report> Scope(const StorePtr& store, const Indexes& indexes, const Query& query,
                     Context& context);

}  // namespace tfprof
