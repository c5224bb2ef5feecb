// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "analysis/indexes.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/store/store.h"
#include "views/view.h"

// Views of graph nodes also work on a trace, with the nodes that its events name.

namespace tfprof {

// The nodes that a query is about: those of the store, or those that the events of a trace name.
struct NodesQuery {
  StorePtr store;
  const Indexes* indexes;
  Query query;                          // with thresholds as `store` has its values
  std::shared_ptr<const Indexes> kept;  // of the store of a trace's nodes; null: a profile
};
Result<NodesQuery> NodesOf(const StorePtr& store, const Indexes& indexes, const Query& query,
                           NodeGranularity kind, Context& context);

// True if an answer about nodes has percentiles of single executions.
bool HasExecutions(const Display& display);

// Adds to an answer about nodes what it says about the steps of a trace.
void AddSteps(const NodesQuery& nodes, const Query& query, Report* report);

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
