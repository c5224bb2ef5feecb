// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/graph_forest.h"

#include "analysis/nodes/name_order.h"

namespace tfprof {
namespace {

// Returns the nodes that are no node's input, by name.
Result<Column<NodeId>> Roots(const Store& store, Context& context) {
  Column<uint8_t> consumed;
  consumed.Resize(store.nodes.size());
  for (const Edge& edge : store.edges) {
    if (edge.producer.some()) consumed[edge.producer.value] = 1;
  }
  Column<NodeId> roots;
  for (size_t i = 0; i < store.nodes.size(); ++i) {
    if (consumed[i] == 0) roots.Push(NodeId(i));
  }
  TFPROF_TRY(SortByName(store, &roots, context));
  return roots;
}

// A node on the path from its root, and its inputs that are not visited yet.
struct Open {
  uint32_t row;
  uint32_t next_edge;
  uint32_t end_edge;
};

class Building {
 public:
  explicit Building(const Store& store) : store_(store) {
    const size_t rows = store.nodes.size() + 1;
    forest_.parent.Reserve(rows);
    forest_.end.Reserve(rows);
    forest_.node.Reserve(rows);
    reached_.Resize(store.nodes.size());
    Push(0, NodeId());
  }

  void Add(NodeId root) {
    Enter(0, root);
    while (!path_.empty()) {
      Open& open = path_.back();
      if (open.next_edge == open.end_edge) {
        forest_.end[open.row] = static_cast<uint32_t>(forest_.node.size());
        path_.pop_back();
        continue;
      }
      const NodeId producer = store_.edges[open.next_edge++].producer;
      if (producer.some() && reached_[producer.value] == 0) Enter(open.row, producer);
    }
  }

  GraphForest Finish() {
    forest_.end[0] = static_cast<uint32_t>(forest_.node.size());
    forest_.unreached = store_.nodes.size() + 1 - forest_.node.size();
    return std::move(forest_);
  }

 private:
  uint32_t Push(uint32_t parent, NodeId node) {
    forest_.parent.Push(parent);
    forest_.end.Push(0);
    forest_.node.Push(node);
    return static_cast<uint32_t>(forest_.node.size() - 1);
  }

  void Enter(uint32_t parent, NodeId node) {
    reached_[node.value] = 1;
    const Range inputs = store_.nodes[node.value].inputs;
    path_.push_back({Push(parent, node), inputs.first, inputs.first + inputs.count});
  }

  const Store& store_;
  GraphForest forest_;
  Column<uint8_t> reached_;
  std::vector<Open> path_;
};

}  // namespace

Result<GraphForest> GraphForest::Build(const Store& store, Context& context) {
  TFPROF_ASSIGN(const Column<NodeId> roots, Roots(store, context));
  Building building(store);
  for (size_t i = 0; i < roots.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    building.Add(roots[i]);
  }
  return building.Finish();
}

NamedTree Named(const GraphNames& state) {
  NamedTree tree;
  tree.parent = {state.forest->parent.data(), state.forest->parent.size()};
  tree.end = {state.forest->end.data(), state.forest->end.size()};
  tree.names = &state;
  tree.name = [](const void* names, uint32_t row) {
    const auto& graph = *static_cast<const GraphNames*>(names);
    if (row == 0) return kRootName;
    return graph.store->Text(graph.store->nodes[graph.forest->node[row].value].name);
  };
  return tree;
}

}  // namespace tfprof
