// SPDX-License-Identifier: Apache-2.0
#include "views/on_nodes.h"

#include "analysis/indexes.h"
#include "core/report/measure_scale.h"
#include "core/store/store.h"
#include "views/columns/measure_rows.h"

namespace tfprof {

Result<NodesQuery> NodesOf(const StorePtr& store, const Indexes& indexes, const Query& query,
                           NodeGranularity kind, Context& context) {
  NodesQuery nodes{store, &indexes, query, {}};
  if (LacksNodes(*store)) {
    TFPROF_ASSIGN(const auto made,
                  indexes.Get<TraceNodes>({query.place.OfPlaces(), kind}, context));
    nodes.store = made->store;
    nodes.kept = made->indexes;
    nodes.indexes = nodes.kept.get();
    nodes.query.place = {.exact = query.place.exact};
  }
  nodes.query.tree = Scaled(query.tree, ScaleOf(*nodes.store, nodes.query.place));
  return nodes;
}

void AddSteps(const NodesQuery& nodes, const Query& query, Report* report) {
  if (nodes.kept != nullptr && query.place.SelectsSteps()) SetStep(query.place, report);
}

Result<Report> AnswerForNodes(MakeReport* make, NodeGranularity kind, const StorePtr& store,
                              const Indexes& indexes, const Query& query, Context& context) {
  TFPROF_ASSIGN(const NodesQuery nodes, NodesOf(store, indexes, query, kind, context));
  TFPROF_ASSIGN(Report report, make(nodes.store, *nodes.indexes, nodes.query, context));
  AddSteps(nodes, query, &report);
  return report;
}

}  // namespace tfprof
