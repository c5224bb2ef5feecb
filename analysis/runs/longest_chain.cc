// SPDX-License-Identifier: Apache-2.0
#include "analysis/runs/longest_chain.h"

#include <algorithm>
#include <utility>

#include "core/base/arith.h"

namespace tfprof {
namespace {

constexpr uint32_t kNone = 0xFFFFFFFFu;

struct ChainTo {
  enum State : uint8_t { unseen, open, done };
  State state = unseen;
  uint32_t before = kNone;  // the input on the chain
  int64_t length = 0;       // with the node itself
};

// A node whose inputs are being followed.
struct OpenNode {
  uint32_t node = 0;
  std::vector<uint32_t> inputs;
  size_t next = 0;
};

}  // namespace

Result<std::vector<uint32_t>> LongestChain(const WeightedGraph& graph, Context& context) {
  std::vector<ChainTo> chains(graph.nodes);
  std::vector<OpenNode> open;
  const auto enter = [&](uint32_t node) {
    chains[node].state = ChainTo::open;
    open.push_back({node, graph.inputs(node)});
  };
  for (uint32_t start = 0; start < graph.nodes; ++start) {
    if (start % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    if (chains[start].state == ChainTo::unseen) enter(start);
    while (!open.empty()) {
      OpenNode& now = open.back();
      ChainTo& chain = chains[now.node];
      if (now.next == now.inputs.size()) {
        chain.state = ChainTo::done;
        chain.length = SaturatingAdd(chain.length, graph.weight(now.node));
        open.pop_back();
        continue;
      }
      const uint32_t input = now.inputs[now.next];
      if (chains[input].state == ChainTo::unseen) {
        enter(input);
        continue;
      }
      ++now.next;
      if (chains[input].state == ChainTo::open || chains[input].length <= chain.length) continue;
      chain.length = chains[input].length;
      chain.before = input;
    }
  }
  std::vector<uint32_t> nodes;
  const auto longest = std::ranges::max_element(chains, {}, &ChainTo::length);
  uint32_t at = longest == chains.end() ? kNone : static_cast<uint32_t>(longest - chains.begin());
  for (; at != kNone; at = chains[at].before) {
    if (graph.weight(at) > 0) nodes.push_back(at);
  }
  std::ranges::reverse(nodes);
  return nodes;
}

}  // namespace tfprof
