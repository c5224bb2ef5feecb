// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/base/context.h"
#include "core/store/graph_ops.h"
#include "core/store/store.h"

namespace tfprof {

// The operations of the graph and of its functions, linked. An index.
struct LinkedOps {
  GraphOps ops;
  std::vector<uint32_t> of_graph;  // operations that are nodes, in file order

  static Result<LinkedOps> Build(const Store& store, Context& context);
};

// Returns true if a source has operations: their flops can be counted.
bool HasGraphOps(const Store& store);

}  // namespace tfprof
