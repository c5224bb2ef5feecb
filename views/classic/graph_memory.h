// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "views/classic/graph_export.h"

// Input data for the GPU memory counters of the graph's trace export. For graph_memory*.cc.

namespace tfprof {

// The allocator's bytes in use at the end of an execution of a row's node.
struct InUse {
  int64_t time_ps = 0;
  uint32_t row = 0;
  int64_t bytes = 0;
};

// A change of a node's held bytes at a time.
struct Change {
  int64_t time_ps = 0;
  NodeId node;
  int64_t bytes = 0;
};

struct MemoryDevice {
  LaneId lane;
  uint32_t counter = 0;
  std::vector<NodeId> nodes;    // shown nodes that ran on it
  std::vector<InUse> in_use;    // by time, at most one per time
  std::vector<Change> changes;  // by time
};

// Returns the GPUs that shown nodes ran on in the step, ordered by name.
Result<std::vector<MemoryDevice>> CollectMemory(const ExportedGraph& exported, Context& context);

}  // namespace tfprof
