// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/durations.h"
#include "analysis/nodes/accounting.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

// The durations of single executions of graph nodes.
struct NodeExecutions {
  std::vector<RowDuration> durations;  // RowDuration::row is a NodeId
  std::vector<bool> unknown;           // by node, may be shorter: some cannot be told apart

  bool IsUnknown(NodeId node) const { return node.value < unknown.size() && unknown[node.value]; }
  void SetUnknown(NodeId node) {
    if (node.value >= unknown.size()) unknown.resize(node.value + size_t{1});
    unknown[node.value] = true;
  }
};

// Returns the executions in a profile whose times NodeSums adds up: those on accelerators, where
// the profile has any, else on hosts. An execution on an accelerator is all of its records. Where a
// node ran several times in a step, they cannot be told apart unless it has as many records, nor
// can the times of calls without what they contain. Error: cancelled.
Result<NodeExecutions> ExecutionsOfNodes(const Store& store, const NodeAccounts& accounts,
                                         const PlaceFilter& place, Context& context);

}  // namespace tfprof
