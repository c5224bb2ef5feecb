// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "analysis/nodes/executions.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

// A trace has events and no graph. Queries about nodes use a store made from it, whose nodes are
// the framework operations, instructions of compiled programs, and copies that its events name.

namespace tfprof {

class Indexes;

// Returns true if queries about nodes need that store: there are processes, but no nodes.
bool LacksNodes(const Store& store);

// How a node that was called from several places counts: as one node, or as one per call stack,
// `NAME/(2)` and so on from the second one on.
enum class NodeGranularity : uint8_t { one_per_name, one_per_stack };

// One row per node and process that it ran in: its first start, its total time, and as Aggregate
// the number of runs. The time is self time on threads and for nested instructions. `store->notes`
// reports the time that belongs to no node and, with -step, to no step.
struct TraceNodes {
  StorePtr store;
  std::shared_ptr<const Indexes> indexes;  // of `store`
  // Of single executions, if the key has `executions`. Those whose times the store adds up: of
  // devices, if it has any, else of hosts.
  NodeExecutions executions;

  // An index. Errors: usage (no such step), cancelled.
  struct Key {
    PlaceFilter place;
    NodeGranularity nodes = NodeGranularity::one_per_name;
    bool memory = false;  // nodes have the memory that allocators gave to them
    bool executions = false;
    bool operator==(const Key&) const = default;
  };
  static constexpr size_t kKept = 3;
  static Result<TraceNodes> Build(const Indexes& indexes, const Key& key, Context& context);
};

// Returns the nodes of the whole trace; null: the store has its own nodes. Error: cancelled.
Result<std::shared_ptr<const TraceNodes>> NodesIfTrace(const StorePtr& store,
                                                       const Indexes& indexes, Context& context);

}  // namespace tfprof
