// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/store/builder.h"
#include "loaders/counts.h"
#include "loaders/id_index.h"
#include "loaders/tensorflow/profile/file.h"
#include "loaders/tensorflow/profile/node.h"

namespace tfprof {

// Links the inputs of profile nodes. A profile refers to inputs by id, possibly of later nodes.
// Until all nodes are known, the producer of an edge is the index of its entry in the file.
struct ProfileInputs {
  // REQUIRES: no node of the file is stored yet.
  ProfileInputs(const ProfileFile& file, const StoreBuilder& store);

  IdIndex entry_of_id;           // for the nodes of the file
  Column<NodeId> node_of_entry;  // none: malformed
  size_t first_edge;             // the first edge of this file
  std::vector<Edge> edges = {};  // of the current node; kept for its capacity
};

// Stores the inputs of `node`, which became `consumer`.
void AddInputs(NodeId consumer, const ProfileNode& node, StoreBuilder& store,
               ProfileInputs* inputs);

// Resolves the producers of all edges. `unknown` counts producers that do not exist.
void LinkInputs(const ProfileFile& file, const ProfileInputs& inputs, StoreBuilder& store,
                ProblemCount* unknown);

}  // namespace tfprof
