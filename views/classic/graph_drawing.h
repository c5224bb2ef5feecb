// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "analysis/nodes/accounting.h"
#include "core/report/report.h"
#include "core/store/event_runs.h"

// The drawing of the graph view, as the original has it: the executions of the shown nodes in one
// step, with what its rules lose. A group per device, in the order in which the rows first show
// it, with one track.

namespace tfprof {

// What a graph report needs to be drawn.
struct GraphDrawing {
  StorePtr store;
  std::shared_ptr<const NodeAccounts> accounts;
  Column<uint8_t> counts;  // by node: it is accounted; empty: all are
  int64_t step = -1;       // negative: nothing can be drawn (usage)

  bool Counts(NodeId node) const { return counts.empty() || counts[node.value] != 0; }
};
Drawing DrawingOf(GraphDrawing state);

// ---- parts of it, for graph_arrows.cc and graph_memory.cc
// ---------------------------------------------------------

struct Execution {
  int64_t start_ps = 0;
  int64_t duration_ps = 0;  // at least one tick
  EventId event;
  LaneId lane;
  NodeId node;
  uint32_t track = 0;  // of Trace::tracks
  uint32_t level = 0;
};

// What is drawn of one step. Executions by group, level and start; of those that start together on
// one device only that of the first row.
struct DrawnGraph {
  std::shared_ptr<const GraphDrawing> what;
  StepId step;
  std::vector<EventRun> runs;     // of all steps
  Column<uint32_t> row_of_node;   // Table::kNoRow: not shown
  Column<uint8_t> ran;            // by node: it has a time in the step, and a device that counts
  std::vector<uint32_t> by_name;  // by lane: its place in the order of lane names
  std::vector<Execution> executions;

  const Store& store() const { return *what->store; }
  bool IsShown(NodeId node) const { return row_of_node[node.value] != Table::kNoRow; }
  LaneId CountingLane(NodeId node) const { return what->accounts->counting_lane[node.value]; }
};
using DrawnPtr = std::shared_ptr<const DrawnGraph>;

// From an execution of an input to those of its consumers on another device: each to each.
Result<Cursor<TraceArrow>> ArrowsOf(DrawnPtr drawn, Context& context);

// The memory of the gpus: adds for each of them two groups and a counter. A sample stands where an
// execution ended, at least 100 us after the one before; its holders are the at most ten nodes
// that hold most and fit into the value, largest first.
Result<Cursor<TraceSample>> AddMemory(const DrawnPtr& drawn, Trace* trace, Context& context);

}  // namespace tfprof
