// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/context.h"
#include "core/base/result.h"

namespace tfprof {

// The nodes of a graph are [0, nodes).
struct WeightedGraph {
  size_t nodes = 0;
  std::function<int64_t(uint32_t)> weight;  // not negative; 0 if not measured
  std::function<std::vector<uint32_t>(uint32_t)> inputs;
};

// Returns the chain of nodes, each an input of the next, whose weights sum to most, without those
// of weight 0. Of a cycle, the input that closes it is left out. Error: cancelled.
Result<std::vector<uint32_t>> LongestChain(const WeightedGraph& graph, Context& context);

}  // namespace tfprof
