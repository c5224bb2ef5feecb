// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/chosen_events.h"
#include "analysis/indexes.h"
#include "analysis/intervals/nesting.h"
#include "analysis/links/event_links.h"
#include "analysis/ops/event_ops.h"
#include "analysis/programs.h"
#include "analysis/trace_nodes/python_stacks.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "analysis/trace_nodes/work_sums.h"
#include "core/base/parallel.h"
#include "core/hlo/program.h"
#include "core/store/builder.h"
#include "core/store/lanes.h"

// Parts of TraceNodes::Build.

namespace tfprof {

struct NodeMaker;

// Copies of nodes that were called from several places.
struct NodesByCall {
  std::unordered_map<uint64_t, NodeId> copies;  // by node << 32 | call
  std::vector<uint32_t> counts;                 // by node, may be shorter: number of copies
  std::vector<StackId> stack_of_call;           // in the builder; may be shorter
  std::unordered_multimap<uint32_t, NameId> categories;  // by node
};

// Host events named like a device instruction: they run while it is launched.
struct HostInstructions {
  // By name: placed rows, by start.
  std::unordered_map<std::string_view, std::vector<uint32_t>> rows;

  // Returns the Python calls around the host event of that name that encloses the launch in time;
  // of several, the last one to start.
  uint32_t CallAt(std::string_view instruction, EventId launch, const NodeMaker& maker) const;
};

// Host events, ascending, and the innermost operation that is the event or encloses it: its row
// (kNoRow: none), then its node.
struct LaunchCalls {
  std::vector<uint32_t> row;
  std::vector<uint32_t> op;
  std::vector<NodeId> node;

  size_t From(uint32_t at) const {
    return static_cast<size_t>(std::lower_bound(row.begin(), row.end(), at) - row.begin());
  }
  NodeId Of(EventId call) const { return call.some() ? node[From(call.value)] : NodeId(); }
};

struct NodeMaker {
  const Store& trace;
  const Indexes& indexes;
  NodeGranularity nodes;
  Context& context;
  StoreBuilder builder = {};
  WorkSums work = {};               // of the current process
  LaunchCalls calls = {};           // calls that launched work without an operation
  IndexPtr<EventLinks> links = {};  // null: not needed
  UnattributedWork rest = {};
  int64_t counted_ps = 0;             // over all nodes
  Tally<NodeId> untraced = {};        // without any source line, in one process each
  std::vector<bool> ran = {};         // by ModuleId: one of its instructions ran
  ChosenEvents chosen = {};           // with -step
  std::vector<bool> has_inputs = {};  // by node: its inputs are set
  PythonStacks python = {};           // empty unless there is a node per stack
  NodesByCall by_call = {};
  HostInstructions host_instructions = {};

  // Returns the node of that name; creates it with that type if there is none.
  NodeId NodeOf(std::string_view name, std::string_view type);
  void AddCategory(NodeId node, std::string_view category);
  // Returns the node that counts for work of `node` below these Python calls (PythonStacks::calls):
  // the node itself, or a copy with their frames. Nodes with recorded source lines keep those.
  NodeId Below(NodeId node, uint32_t call);
  bool IsChosen(uint32_t row) const { return chosen.Takes(row); }
  // Returns the number of executions that a row stands for.
  int64_t RunsOf(uint32_t row) const;
};

// By EventOps::ops; none: no operation. `only_xla`: only instructions. Error: cancelled.
Result<std::vector<NodeId>> NodesOfOps(const EventOps& ops, bool only_xla, NodeMaker* maker);

// Returns the node of an instruction; creates it at the first call.
NodeId NodeOfInstruction(const Program& program, const Instruction& instruction, NodeMaker* maker);

// Returns the node of an instruction by its program and name; none: the profile does not contain
// it.
NodeId FindInstructionNode(const CompiledPrograms& programs, HostId host, uint64_t program_id,
                           std::string_view instruction, NodeMaker* maker);

// Returns the name of the module with that number, without the number, else "program NUMBER".
std::string ProgramName(HostId host, uint64_t program_id, const NodeMaker& maker);

// Adds the instructions of the programs that ran, with their inputs and shapes. Error: cancelled.
Result<void> AddPrograms(NodeMaker* maker);

// Sets the stack of a node, innermost last: one "FILE:LINE" per line, optionally with ":COLUMN".
void SetSourceLines(NodeId node, std::string_view lines, NodeMaker* maker);

// The operations of a device process: by event, else by label.
struct DeviceOps {
  ProcessId process;
  EventOps ops;
  std::vector<NodeId> of_op;     // by EventOps::ops
  std::vector<NodeId> of_label;  // by label of the process
  uint32_t first_label = 0;
  // Work without an operation: named by the calls that launched it, else by its own name.
  std::vector<uint32_t> unnamed;  // rows, ascending
  // By index into `unnamed`; none: not recorded or, after AddDeviceWork, without an operation.
  std::vector<EventId> call_of;
  std::vector<NodeId> unnamed_node;  // likewise, after AddDeviceWork; none: unknown

  NodeId Named(const Store& trace, uint32_t row) const {
    const uint32_t op = ops.Of(row);
    if (op != EventOps::kNone && of_op[op].some()) return of_op[op];
    return of_label[trace.events.label[row].value - first_label];
  }
};
Result<std::vector<DeviceOps>> FindDeviceOps(std::span<const ProcessId> devices, NodeMaker* maker);

// Returns the call that launched work of a device; none: not recorded, or not needed.
EventId LaunchOf(uint32_t row, const NodeMaker& maker);

// Finds the calls that launched work without an operation, and their rows. REQUIRES: links, if
// there is such work.
void FindLaunchCalls(std::vector<DeviceOps>* devices, NodeMaker* maker);

// Finds the host events of the instructions that devices name; only if there are Python calls.
void FindHostInstructions(const std::vector<DeviceOps>& devices, NodeMaker* maker);

// Add the work of a process to Making::work. Error: cancelled. Hosts also fill Making::calls; if
// `counts` is false, they do only that, and only operations that launched something become nodes.
Result<void> AddHostWork(ProcessId process, bool counts, NodeMaker* maker);
Result<void> AddDeviceWork(DeviceOps* ops, NodeMaker* maker);

// Adds notes about host time that counts for two nodes: an operation that runs for a tf.data
// iterator on another thread, and the iterator that waits for it. REQUIRES: counted_ps. Error:
// cancelled.
Result<void> NoteIteratorWaits(std::span<const ProcessId> hosts, NodeMaker* maker);

// Calls add(lane, sums, rest) for lanes of a process, in parallel unless nodes are created
// meanwhile, and adds the results of all to Making.
template <class AddLane>
Result<void> AddLanes(std::span<const Lane* const> lanes, NodeMaker* maker, AddLane add) {
  std::mutex lock;
  std::vector<WorkSums> spare;  // one per thread, reused
  std::vector<UnattributedWork> rest(lanes.size());
  const size_t bytes = maker->python.empty() ? maker->trace.events.start_ps.bytes() : 0;
  TFPROF_TRY(ForEachTask(lanes.size(), ThreadsFor(bytes), maker->context, [&](size_t i) {
    WorkSums sums;
    {
      const std::lock_guard<std::mutex> guard(lock);
      if (!spare.empty()) {
        sums = std::move(spare.back());
        spare.pop_back();
      }
    }
    add(*lanes[i], &sums, &rest[i]);
    const std::lock_guard<std::mutex> guard(lock);
    spare.push_back(std::move(sums));
  }));
  for (const WorkSums& sums : spare) maker->work.Add(sums);
  for (const UnattributedWork& of_lane : rest) maker->rest.Add(of_lane);
  return {};
}

// Returns the lanes with rows.
std::vector<const Lane*> LanesThatMeasure(const Store& trace, ProcessId process, Measures what);

}  // namespace tfprof
