// SPDX-License-Identifier: Apache-2.0
#include "views/on_nodes.h"

#include "analysis/indexes.h"
#include "core/report/measure_scale.h"
#include "core/store/store.h"
#include "views/columns/measure_rows.h"

namespace tfprof {

Result<Report> AnswerForNodes(MakeReport* make, NodeGranularity kind, const StorePtr& store,
                              const Indexes& indexes, const Query& query, Context& context) {
  Query rest = query;
  if (!LacksNodes(*store)) {
    rest.tree = Scaled(query.tree, ScaleOf(*store, query.place));
    return make(store, indexes, rest, context);
  }
  TFPROF_ASSIGN(const auto nodes, indexes.Get<TraceNodes>({query.place.OfPlaces(), kind}, context));
  rest.place = {.exact = query.place.exact};
  rest.tree = Scaled(query.tree, ScaleOf(*nodes->store, rest.place));
  TFPROF_ASSIGN(Report report, make(nodes->store, *nodes->indexes, rest, context));
  if (query.place.SelectsSteps()) SetStep(query.place, &report);
  return report;
}

}  // namespace tfprof
