// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "views/classic/graph_drawing.h"

// The memory of the gpus in a drawing of the graph: what it is drawn from. For graph_memory*.cc.

namespace tfprof {

// The allocator's bytes in use when an execution of a row's node ended.
struct InUse {
  int64_t time_ps = 0;
  uint32_t row = 0;
  int64_t bytes = 0;
};

// A node holds that much more from a time on.
struct Change {
  int64_t time_ps = 0;
  NodeId node;
  int64_t bytes = 0;
};

struct MemoryDevice {
  LaneId lane;
  uint32_t counter = 0;
  std::vector<NodeId> nodes;    // shown and run on it
  std::vector<InUse> in_use;    // by time, at most one at a time
  std::vector<Change> changes;  // by time
};

// The gpus that shown nodes ran on in the step, by name.
Result<std::vector<MemoryDevice>> CollectMemory(const DrawnGraph& drawn, Context& context);

}  // namespace tfprof
