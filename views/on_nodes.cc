// SPDX-License-Identifier: Apache-2.0
#include "views/on_nodes.h"

#include "analysis/indexes.h"
#include "core/base/arith.h"
#include "core/store/store.h"
#include "views/columns/measure_rows.h"

namespace tfprof {

Result<Report> AnswerForNodes(MakeReport* make, NodeGranularity kind, const StorePtr& store,
                              const Indexes& indexes, const Query& query, Context& context) {
  if (!LacksNodes(*store)) return make(store, indexes, query, context);
  TFPROF_ASSIGN(const auto nodes, indexes.Get<TraceNodes>({query.place, kind}, context));
  Query rest = query;
  bool clamped = false;
  for (int64_t TreeFilter::*min : {&TreeFilter::min_micros, &TreeFilter::min_accelerator_micros,
                                   &TreeFilter::min_cpu_micros}) {
    rest.tree.*min = SaturatingMul(query.tree.*min, TimesPerUs(*nodes->store), &clamped);
  }
  rest.place = {};
  TFPROF_ASSIGN(Report report, make(nodes->store, *nodes->indexes, rest, context));
  if (query.place.SelectsSteps()) SetStep(query.place, &report);
  return report;
}

}  // namespace tfprof
