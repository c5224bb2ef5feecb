// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/nodes/tree_totals.h"
#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

// An index. The graph as the graph view walks it. The children of a node are the producers of its
// inputs in slot order. The walk starts at the nodes that are no node's input, by name, and every
// node appears under the first path that reaches it. So cycles without a consumer outside are not
// in it. Row 0 is the root `_TFProfRoot`; rows are in depth-first order.
struct GraphForest {
  Column<uint32_t> parent;
  Column<uint32_t> end;
  Column<NodeId> node;   // none: the root
  size_t unreached = 0;  // nodes of cycles without a consumer outside

  static Result<GraphForest> Build(const Store& store, Context& context);
};

// Names for walking the forest; `state` must outlive the result.
struct GraphNames {
  const Store* store;
  const GraphForest* forest;
};
NamedTree Named(const GraphNames& state);

}  // namespace tfprof
