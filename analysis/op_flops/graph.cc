// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_flops/graph.h"

#include <algorithm>

namespace tfprof {

bool HasGraphOps(const Store& store) {
  return std::ranges::any_of(store.sources,
                             [](const Source& source) { return source.details.graph != nullptr; });
}

Result<LinkedOps> LinkedOps::Build(const Store& store, Context& context) {
  LinkedOps linked;
  GraphOps& ops = linked.ops;
  for (const Source& source : store.sources) {
    if (source.details.graph != nullptr) TFPROF_TRY(source.details.graph(store, &ops, context));
  }
  std::vector<uint32_t> op_of_node(store.nodes.size(), kNoRow);
  for (uint32_t i = 0; i < ops.ops.size(); ++i) {
    const NodeId node = ops.ops[i].node;
    if (!node.some() || op_of_node[node.value] != kNoRow) continue;
    op_of_node[node.value] = i;
    linked.of_graph.push_back(i);
  }
  for (const uint32_t at : linked.of_graph) {
    GraphOp& op = ops.ops[at];
    op.inputs.first = static_cast<uint32_t>(ops.inputs.size());
    for (const Edge& edge : store.Inputs(store.nodes[op.node.value])) {
      if (edge.output_slot == Edge::kControlSlot) continue;
      const uint32_t producer = edge.producer.some() ? op_of_node[edge.producer.value] : kNoRow;
      ops.inputs.push_back({producer, edge.output_slot});
    }
    op.inputs.count = static_cast<uint32_t>(ops.inputs.size()) - op.inputs.first;
  }
  return linked;
}

}  // namespace tfprof
