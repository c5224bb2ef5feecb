// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/store/builder.h"
#include "loaders/counts.h"
#include "loaders/id_index.h"
#include "loaders/tensorflow/profile/file.h"
#include "loaders/tensorflow/profile/node.h"

namespace tfprof {

// The inputs of the nodes of a profile are told by id, and perhaps of nodes that come later: until
// all nodes are known, the producer of an edge is the number of its entry in the file.
struct ProfileInputs {
  // Before the first node of the file is stored.
  ProfileInputs(const ProfileFile& file, const StoreBuilder& store);

  IdIndex entry_of_id;           // of the nodes of the file
  Column<NodeId> node_of_entry;  // none: malformed
  size_t first_edge;             // of those of this file
  std::vector<Edge> edges = {};  // of the current node; kept for its capacity
};

// Stores what `node`, which became `consumer`, says of its inputs.
void AddInputs(NodeId consumer, const ProfileNode& node, StoreBuilder& store,
               ProfileInputs* inputs);

// Names the producers of all edges. `unknown` counts those that are no node.
void LinkInputs(const ProfileFile& file, const ProfileInputs& inputs, StoreBuilder& store,
                Tally* unknown);

}  // namespace tfprof
