// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/nodes/accounting.h"
#include "analysis/nodes/step_memory.h"
#include "core/report/report.h"
#include "core/store/event_runs.h"

// The trace export of the graph view, as the original writes it: the executions of the shown nodes
// in one step, except those that its rules drop. Each device is a group with one track, in the
// order in which the rows first show it.

namespace tfprof {

// The state that the export of a graph report needs.
struct GraphExport {
  StorePtr store;
  std::shared_ptr<const NodeAccounts> accounts;
  Column<uint8_t> counts;            // by node: it is accounted; empty: all are
  int64_t step = -1;                 // negative: nothing can be exported (usage error)
  IndexPtr<StepMemory> memory = {};  // null without a step

  bool Counts(NodeId node) const { return counts.empty() || counts[node.value] != 0; }
};
TraceExport ExportOf(GraphExport state);

// ---- parts of the export, for graph_flows.cc and graph_memory.cc -------------------------------

struct Execution {
  int64_t start_ps = 0;
  int64_t duration_ps = 0;  // at least one tick
  EventId event;
  LaneId lane;
  NodeId node;
  uint32_t track = 0;  // index into Trace::tracks
  uint32_t level = 0;
};

// The exported part of one step. Executions are ordered by group, level and start; of executions
// that start together on one device, only that of the first row is kept.
struct ExportedGraph {
  std::shared_ptr<const GraphExport> what;
  StepId step;
  std::vector<EventRun> runs;     // of all steps
  Column<uint32_t> row_of_node;   // Table::kNoRow: not shown
  Column<uint8_t> ran;            // by node: it has a time in the step, and a counting device
  std::vector<uint32_t> by_name;  // by lane: its rank by lane name
  std::vector<Execution> executions;

  const Store& store() const { return *what->store; }
  bool IsShown(NodeId node) const { return row_of_node[node.value] != Table::kNoRow; }
  LaneId CountingLane(NodeId node) const { return what->accounts->counting_lane[node.value]; }
};
using ExportedGraphPtr = std::shared_ptr<const ExportedGraph>;

// Returns flows from each execution of an input to each execution of its consumers on another
// device.
Result<Cursor<TraceFlow>> FlowsOf(ExportedGraphPtr exported, Context& context);

// Adds the memory of the GPUs: two groups and a counter for each. A sample is where an execution
// ended, at least 100 us after the previous sample. Its holders are the at most ten nodes that hold
// the most and fit into the value, largest first.
Result<Cursor<TraceSample>> AddMemory(const ExportedGraphPtr& exported, Trace* trace,
                                      Context& context);

}  // namespace tfprof
