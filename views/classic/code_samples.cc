// SPDX-License-Identifier: Apache-2.0
#include "views/classic/code_samples.h"

namespace tfprof {
namespace {

struct Samples {
  IndexPtr<CodeTree> tree;
  IndexPtr<NodeSums> sums;
  TimesCounted counted;
  std::vector<uint32_t> nearest;  // by row of the tree: the answer's row that owns its nodes
  std::vector<bool> has_below;    // by row of the answer: it has rows below it
  // The next sample: node number `node` of the row `row`.
  uint32_t row = 0;
  uint32_t node = 0;
};

StackSample SampleOf(const Samples& at, NodeId node) {
  const uint32_t shown = at.nearest[at.row];
  StackSample sample{shown, node};
  sample.values = MarkAbsent(at.sums->values[node.value], at.sums->present[node.value]);
  sample.times = at.counted.Of(node);
  const bool calls_others = at.tree->end[at.row] > at.row + 1;
  sample.innermost =
      shown != 0 && !calls_others && !at.has_below[shown];  // the root is not a frame
  return sample;
}

size_t Next(Samples& at, std::span<StackSample> out) {
  const CodeTree& tree = *at.tree;
  size_t filled = 0;
  while (filled < out.size() && at.row < tree.parent.size()) {
    if (at.node >= tree.first_node[at.row + 1]) {
      ++at.row;
      continue;
    }
    const NodeId node = tree.nodes[at.node++];
    if (at.counted.Of(node) > 0) out[filled++] = SampleOf(at, node);
  }
  return filled;
}

// Rows that are not shown belong to the nearest shown ancestor.
std::vector<uint32_t> NearestShown(const CodeTree& tree, const ShownRows& shown) {
  std::vector<uint32_t> nearest(tree.parent.size(), Table::kNoRow);
  for (uint32_t i = 0; i < shown.row.size(); ++i) nearest[shown.row[i]] = i;
  for (size_t row = 1; row < nearest.size(); ++row) {
    if (nearest[row] == Table::kNoRow) nearest[row] = nearest[tree.parent[row]];
  }
  return nearest;
}

}  // namespace

Cursor<StackSample> SamplesOf(IndexPtr<CodeTree> tree, IndexPtr<NodeSums> sums,
                              TimesCounted counted, const ShownRows& shown) {
  auto state = std::make_shared<Samples>();
  state->nearest = NearestShown(*tree, shown);
  state->has_below.resize(shown.row.size());
  for (size_t i = 1; i < shown.parent.size(); ++i) state->has_below[shown.parent[i]] = true;
  state->tree = std::move(tree);
  state->sums = std::move(sums);
  state->counted = std::move(counted);
  return CursorFrom<StackSample>(std::move(state), Next);
}

}  // namespace tfprof
