// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/store/event_runs.h"
#include "core/store/store.h"

namespace tfprof {

// Rows grouped by node, for formats in node order: 4 bytes per row and 4 per node.
struct NodeRows {
  Column<uint32_t> first;  // by node, plus one: start of its rows in `row`
  Column<uint32_t> row;

  std::span<const uint32_t> Of(NodeId node) const {
    return row.Rows(first[node.value], first[node.value + 1] - first[node.value]);
  }
};

// Returns the events of each node by step (those without a step are last), then by lane, then by
// row. `runs`: all runs of the store, by row.
Result<NodeRows> EventsOfNodes(const Store& store, std::vector<EventRun> runs, Context& context);

// Returns the rows of Store::exec_memory, and of allocations, of each node by event.
Result<NodeRows> MemoryOfNodes(const Store& store, Context& context);
Result<NodeRows> AllocationsOfNodes(const Store& store, const std::vector<Allocation>& allocations,
                                    Context& context);

}  // namespace tfprof
