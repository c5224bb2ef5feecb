// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/trace_nodes/trace_nodes.h"
#include "views/view.h"

// Views of graph nodes also work on a trace, with the nodes that its events name.

namespace tfprof {

// Calls `make`; for a trace, on the store of its nodes.
Result<Report> AnswerForNodes(MakeReport* make, NodeGranularity kind, const StorePtr& store,
                              const Indexes& indexes, const Query& query, Context& context);

// The same function as an entry of the registry.
template <MakeReport* kMake, NodeGranularity kNodes = NodeGranularity::one_per_name>
Result<Report> OnNodes(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context) {
  return AnswerForNodes(kMake, kNodes, store, indexes, query, context);
}

}  // namespace tfprof
