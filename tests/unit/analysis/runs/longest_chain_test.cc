// SPDX-License-Identifier: Apache-2.0
#include "analysis/runs/longest_chain.h"

#include <catch2/catch.hpp>
#include <vector>

namespace tfprof::longest_chain_test {
namespace {

using Nodes = std::vector<uint32_t>;

Nodes Longest(const std::vector<int64_t>& weights, const std::vector<Nodes>& inputs) {
  Context context;
  return LongestChain({weights.size(), [&](uint32_t node) { return weights[node]; },
                       [&](uint32_t node) { return inputs[node]; }},
                      context)
      .value();
}

TEST_CASE("the chain with the greatest sum is longer than one with more nodes") {
  // 0 -> 1 -> 2 -> 4 takes 13, 0 -> 3 -> 4 takes 22.
  CHECK(Longest({1, 1, 1, 11, 10}, {{}, {0}, {1}, {0}, {2, 3}}) == Nodes{0, 3, 4});
}

TEST_CASE("a chain ends where most was spent, whatever follows beside it") {
  CHECK(Longest({5, 9, 1}, {{}, {0}, {0}}) == Nodes{0, 1});
}

TEST_CASE("nodes without a weight are passed, but not part of the chain") {
  CHECK(Longest({0, 3, 0, 4, 0}, {{}, {0}, {1}, {2}, {3}}) == Nodes{1, 3});
  CHECK(Longest({0, 0}, {{}, {0}}).empty());
  CHECK(Longest({}, {}).empty());
}

TEST_CASE("nodes before their inputs, and cycles") {
  CHECK(Longest({4, 2, 1}, {{1}, {2}, {}}) == Nodes{2, 1, 0});
  CHECK(Longest({1, 2, 3}, {{2}, {0}, {1}}).size() == 3);  // without the input that closes it
  CHECK(Longest({7}, {{0}}) == Nodes{0});
}

TEST_CASE("a long chain does not recurse") {
  constexpr uint32_t kNodes = 1'000'000;
  Context context;
  const WeightedGraph graph{
      kNodes, [](uint32_t) { return int64_t{1}; },
      [](uint32_t node) { return node + 1 < kNodes ? Nodes{node + 1} : Nodes{}; }};
  CHECK(LongestChain(graph, context).value().size() == kNodes);
}

}  // namespace
}  // namespace tfprof::longest_chain_test
