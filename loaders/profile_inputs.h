// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "core/store_builder.h"
#include "loaders/profile_node.h"
#include "loaders/tally.h"

namespace tfprof {

// The inputs of the nodes of a profile: told by id, and perhaps of nodes that come later, so they
// are kept until all nodes are known.
struct ProfileInputs {
  struct NodeOfId {
    int64_t id;
    NodeId node;
  };
  struct Input {
    NodeId consumer;
    int32_t slot;
    int32_t output_slot;
    std::optional<int64_t> producer_id;  // none: the graph lacked it
  };

  std::vector<NodeOfId> nodes = {};  // by id
  std::vector<Input> inputs = {};
  std::vector<const char*> places = {};  // of the nodes that have inputs
};

// Keeps what `node`, which became `consumer`, says of its inputs; `place`: of it in the file.
void KeepInputs(NodeId consumer, const ProfileNode& node, const char* place, ProfileInputs* kept);

// Stores all edges. `unknown` counts those whose producer is no node.
void LinkInputs(const ProfileInputs& kept, StoreBuilder& store, Tally* unknown);

}  // namespace tfprof
