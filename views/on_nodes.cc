// SPDX-License-Identifier: Apache-2.0
#include "views/on_nodes.h"

#include "analysis/indexes.h"
#include "core/base/arith.h"
#include "core/store/time_unit.h"
#include "views/columns/measure_rows.h"

namespace tfprof {

Result<Report> AskNodes(MakeReport* make, NodesAre kind, const StorePtr& store,
                        const Indexes& indexes, const Query& query, Context& context) {
  if (!LacksNodes(*store)) return make(store, indexes, query, context);
  TFPROF_ASSIGN(const auto nodes, indexes.Nodes(query, kind, context));
  Query rest = query;
  bool clamped = false;
  for (int64_t Query::*least :
       {&Query::min_micros, &Query::min_accelerator_micros, &Query::min_cpu_micros}) {
    rest.*least = SaturatingMul(query.*least, TimesPerUs(*nodes->store), &clamped);
  }
  rest.host.clear();
  rest.device.clear();
  rest.step = rest.last_step = -1;
  TFPROF_ASSIGN(Report report, make(nodes->store, *nodes->indexes, rest, context));
  if (query.AsksSteps()) SetStep(query, &report);
  return report;
}

}  // namespace tfprof
