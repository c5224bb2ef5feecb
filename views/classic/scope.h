// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// The nodes by the parts of their names: one tree table `scope`. Own values are those of the node
// that a row is; totals are of all that counts below. Row 0 is the root.
Result<Report> Scope(const StorePtr& store, const Indexes& indexes, const Query& query,
                     Context& context);

}  // namespace tfprof
