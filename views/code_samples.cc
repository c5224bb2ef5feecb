// SPDX-License-Identifier: Apache-2.0
#include "views/code_samples.h"

namespace tfprof {
namespace {

// A shown row without shown children.
struct Leaf {
  uint32_t shown;  // row of the answer
  uint32_t row;    // of the tree
};

struct Samples {
  IndexPtr<CodeTree> tree;
  IndexPtr<NodeSums> sums;
  TimesCounted counted;
  std::vector<Leaf> leaves;
  // What comes next: node number `node` of the row `row` below leaf number `leaf`.
  size_t leaf = 0;
  uint32_t row = 0;
  uint32_t node = 0;
};

void EnterRow(Samples& at, uint32_t row) {
  at.row = row;
  at.node = at.tree->first_node[row];
}

void EnterLeaf(Samples& at, size_t leaf) {
  at.leaf = leaf;
  if (leaf < at.leaves.size()) EnterRow(at, at.leaves[leaf].row);
}

// Only innermost frames count (the original's rule): nodes of a frame that calls others are not
// among the samples.
bool IsInnermost(const CodeTree& tree, uint32_t row) { return tree.end[row] == row + 1; }

size_t Next(void* state, std::span<StackSample> out) {
  Samples& at = *static_cast<Samples*>(state);
  const CodeTree& tree = *at.tree;
  size_t filled = 0;
  while (filled < out.size() && at.leaf < at.leaves.size()) {
    const Leaf& leaf = at.leaves[at.leaf];
    if (at.row >= tree.end[leaf.row]) {
      EnterLeaf(at, at.leaf + 1);
    } else if (!IsInnermost(tree, at.row) || at.node >= tree.first_node[at.row + 1]) {
      EnterRow(at, at.row + 1);
    } else {
      const NodeId node = tree.nodes[at.node++];
      if (at.counted.Of(node) == 0) continue;
      const MeasureValues& values = at.sums->values[node.value];
      out[filled++] = {leaf.shown, node, MarkAbsent(values, at.sums->present[node.value])};
    }
  }
  return filled;
}

}  // namespace

Cursor<StackSample> SamplesOf(IndexPtr<CodeTree> tree, IndexPtr<NodeSums> sums,
                              TimesCounted counted, const ShownRows& shown) {
  auto state = std::make_shared<Samples>();
  state->tree = std::move(tree);
  state->sums = std::move(sums);
  state->counted = std::move(counted);
  // Rows are depth-first: a row has shown children when the next one stands deeper. The root is
  // no frame.
  const size_t rows = shown.row.size();
  for (uint32_t i = 1; i < rows; ++i) {
    const bool has_children = i + 1 < rows && shown.depth[i + 1] > shown.depth[i];
    if (!has_children) state->leaves.push_back({i, shown.row[i]});
  }
  EnterLeaf(*state, 0);
  return {std::move(state), &Next};
}

}  // namespace tfprof
