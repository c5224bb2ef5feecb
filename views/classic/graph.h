// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// Nodes along their inputs: one tree table `graph`. The children of a node are the producers of its
// inputs, each under the first path that reaches it. views/classic/graph_drawing.h documents the
// trace export.
Result<Report> Graph(const StorePtr& store, const Indexes& indexes, const Query& query,
                     Context& context);

}  // namespace tfprof
