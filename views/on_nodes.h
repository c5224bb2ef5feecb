// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/trace_nodes/trace_nodes.h"
#include "core/report/report.h"

// Views of graph nodes answer for a trace, too, from the nodes that its events name.

namespace tfprof {

using MakeReport = Result<Report>(const StorePtr&, const Indexes&, const Query&, Context&);

// `make` asked of the nodes of a trace, where it is one.
Result<Report> AskNodes(MakeReport* make, NodesAre kind, const StorePtr& store,
                        const Indexes& indexes, const Query& query, Context& context);

// The same as an entry of the registry.
template <MakeReport* kMake, NodesAre kNodes = NodesAre::one_per_name>
Result<Report> OnNodes(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context) {
  return AskNodes(kMake, kNodes, store, indexes, query, context);
}

}  // namespace tfprof
