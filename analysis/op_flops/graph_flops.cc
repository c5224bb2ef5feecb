// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_flops/graph_flops.h"

#include <charconv>

#include "analysis/indexes.h"
#include "analysis/op_flops/body.h"
#include "analysis/op_flops/graph.h"
#include "analysis/op_flops/initializers.h"

namespace tfprof {
namespace {

std::vector<uint32_t> OpsOfNodes(const Store& store, const LinkedOps& linked) {
  std::vector<uint32_t> op_of_node(store.nodes.size(), kNoRow);
  for (const uint32_t op : linked.of_graph) op_of_node[linked.ops.ops[op].node.value] = op;
  return op_of_node;
}

void SetShapes(const Store& store, const std::vector<uint32_t>& op_of_node,
               const FlopCounting& counting, BodyWork* body, GraphFlops* flops) {
  for (const std::string& text : counting.shapes) {
    GivenShape given;
    if (!ParseShape(text, &given)) continue;  // the option was checked
    const NodeId node = store.NodeNamed(store.names.Find(given.name));
    const uint32_t op = node.some() ? op_of_node[node.value] : kNoRow;
    if (op == kNoRow) {
      flops->unknown_names.push_back(given.name);
    } else {
      body->SetShape(op, given.dims);
    }
  }
}

Result<void> AddRunShapes(const Store& store, const std::vector<uint32_t>& op_of_node,
                          BodyWork* body, Context& context) {
  for (const Source& source : store.sources) {
    if (source.details.run_shapes == nullptr) continue;
    TFPROF_TRY(Poll(context));
    std::vector<RunShape> shapes;
    TFPROF_TRY(source.details.run_shapes(store, &shapes));
    for (const RunShape& shape : shapes) {
      const uint32_t op = op_of_node[shape.node.value];
      if (op != kNoRow) body->AddRecorded({op, shape.slot}, shape.dims);
    }
  }
  return {};
}

// Logged flops count, whatever the rules say.
void AddLogged(const Store& store, GraphFlops* flops) {
  for (size_t i = 0; i < store.nodes.size(); ++i) {
    const int64_t logged = store.nodes[i].float_ops;
    if (logged == 0) continue;
    flops->flops[i] = logged;
    flops->work[i] = {.flops = logged, .known = 1, .computing = 1};
  }
}

}  // namespace

bool ParseShape(std::string_view text, GivenShape* shape) {
  const size_t equals = text.rfind('=');
  if (equals == text.npos || equals == 0) return false;
  std::string_view name = text.substr(0, equals);
  if (name.ends_with(":0")) name.remove_suffix(2);
  shape->name = name;
  std::string_view dims = text.substr(equals + 1);
  while (!dims.empty()) {
    const size_t comma = dims.find(',');
    const std::string_view dim = dims.substr(0, comma);
    int64_t number = -1;
    const auto [end, error] = std::from_chars(dim.data(), dim.data() + dim.size(), number);
    const bool is_number = error == std::errc() && end == dim.data() + dim.size() && number >= -1;
    if (!is_number && dim != "?") return false;
    shape->dims.push_back(is_number ? number : -1);
    dims = comma == dims.npos ? std::string_view() : dims.substr(comma + 1);
    if (comma != std::string_view::npos && dims.empty()) return false;
  }
  return true;
}

Result<GraphFlops> GraphFlops::Build(const Indexes& indexes, const Key& counting,
                                     Context& context) {
  const Store& store = *indexes.store();
  GraphFlops flops;
  flops.flops.Resize(store.nodes.size(), kNoInt);
  flops.work.Resize(store.nodes.size(), {.unknown = 1});
  TFPROF_ASSIGN(const auto linked, indexes.Get<LinkedOps>(context));
  BodyWork body(linked->ops, context);
  const std::vector<uint32_t> op_of_node = OpsOfNodes(store, *linked);
  SetShapes(store, op_of_node, counting, &body, &flops);
  TFPROF_TRY(AddRunShapes(store, op_of_node, &body, context));
  std::vector<OpWork> work;
  TFPROF_TRY(body.EvaluateGraph(linked->of_graph, &work));
  for (const uint32_t op : linked->of_graph) {
    const NodeId node = linked->ops.ops[op].node;
    flops.flops[node.value] = work[op].Flops();
    flops.work[node.value] = work[op];
  }
  AddLogged(store, &flops);
  if (!counting.initializers) {
    const std::vector<bool> initial = FindInitializers(linked->ops, linked->of_graph);
    for (const uint32_t op : linked->of_graph) {
      if (initial[op]) flops.flops[linked->ops.ops[op].node.value] = 0;
    }
  }
  return flops;
}

}  // namespace tfprof
