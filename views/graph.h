// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/query.h"
#include "core/report.h"
#include "views/indexes.h"

namespace tfprof {

// The nodes along their inputs: one tree table `graph`. Below a node stand the producers of its
// inputs, each under the first path that reaches it. It is drawn as
// views/graph_drawing.h tells.
Result<Report> Graph(const StorePtr& store, const Indexes& indexes, const Query& query,
                     Context& context);

}  // namespace tfprof
