// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// The nodes along their inputs: one tree table `graph`. Below a node stand the producers of its
// inputs, each under the first path that reaches it. It is drawn as
// views/classic/graph_drawing.h tells.
Result<Report> Graph(const StorePtr& store, const Indexes& indexes, const Query& query,
                     Context& context);

}  // namespace tfprof
