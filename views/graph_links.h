// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/context.h"
#include "core/store.h"

namespace tfprof {

// The graph as the graph view walks it: the children of a node are the producers of its inputs,
// in slot order (repeats and cycles included), inputs of unknown nodes left out.
struct GraphLinks {
  Column<uint32_t> first_child;  // by node, nodes + 1 rows
  Column<NodeId> children;
  Column<NodeId> roots;  // nodes that no node takes as input, ascending by name
};

Result<GraphLinks> LinkGraph(const Store& store, Context& context);

}  // namespace tfprof
