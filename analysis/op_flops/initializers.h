// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/store/graph_ops.h"

namespace tfprof {

// Returns for each operation whether it only computes a first value of a variable: it depends on no
// input and no variable, and all that it makes goes into assignments. `ops`: those of the graph.
std::vector<bool> FindInitializers(const GraphOps& graph, std::span<const uint32_t> ops);

}  // namespace tfprof
