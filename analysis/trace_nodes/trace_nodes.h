// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

// A trace has events and no graph. The questions about nodes get a store made from it, in which
// nodes are what the events name: framework operations, instructions of compiled programs, copies.

namespace tfprof {

class Indexes;

// Whether questions about nodes need that: there are processes, and no nodes of its own.
bool LacksNodes(const Store& store);

// How the work of one node that was called from several places counts: as one node, or as one per
// stack of calls, `NAME/(2)` and so on from the second one on.
enum class NodesAre : uint8_t { one_per_name, one_per_stack };

// One row per node and process that it ran in: its first start, its time added up, and as Aggregate
// how often. The time is that of the node alone: on threads and where instructions lie within each
// other, without the operations within. `store->notes` tells what belongs to no node, and with
// -step what belongs to no step, with its time.
struct TraceNodes {
  StorePtr store;
  std::shared_ptr<const Indexes> indexes;  // of `store`

  // An index. Errors: usage (no such step), cancelled.
  struct Key {
    PlaceFilter place;
    NodesAre nodes = NodesAre::one_per_name;
    bool operator==(const Key&) const = default;
  };
  static constexpr size_t kKept = 2;
  static Result<TraceNodes> Build(const Indexes& indexes, const Key& key, Context& context);
};

// The nodes of all of a trace; null: the store has its own. Error: cancelled.
Result<std::shared_ptr<const TraceNodes>> NodesIfTrace(const StorePtr& store,
                                                       const Indexes& indexes, Context& context);

}  // namespace tfprof
