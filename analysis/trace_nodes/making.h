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

// The parts of TraceNodes::Build.

namespace tfprof {

// Nodes without a stack, in one process each.
struct Untraced {
  int64_t nodes = 0;
  int64_t ps = 0;
  NodeId first;

  void Add(NodeId node, int64_t of_ps) {
    if (nodes++ == 0) first = node;
    ps = SaturatingAdd(ps, of_ps);
  }
};

struct Making;

// The copies of nodes that were called from several places.
struct NodesByCall {
  std::unordered_map<uint64_t, NodeId> copies;           // by node << 32 | call
  std::vector<uint32_t> counts;                          // by node, may be shorter: how many it has
  std::vector<StackId> stack_of_call;                    // of the builder; may be shorter
  std::unordered_multimap<uint32_t, NameId> categories;  // by node
};

// Events of hosts that are called like an instruction of a device: while it is launched.
struct HostInstructions {
  // By name: placed rows, by start.
  std::unordered_map<std::string_view, std::vector<uint32_t>> rows;

  // The Python calls around the one of that name that lies around the launch in time; of several
  // the last to begin.
  uint32_t CallAt(std::string_view instruction, EventId launch, const Making& making) const;
};

// Events of hosts, ascending, and the operation that each is or lies in: its row, kNoRow where
// there is none, and then its node.
struct LaunchCalls {
  std::vector<uint32_t> row;
  std::vector<uint32_t> op;
  std::vector<NodeId> node;

  size_t From(uint32_t at) const {
    return static_cast<size_t>(std::lower_bound(row.begin(), row.end(), at) - row.begin());
  }
  NodeId Of(EventId call) const { return call.some() ? node[From(call.value)] : NodeId(); }
};

struct Making {
  const Store& trace;
  const Indexes& indexes;
  NodesAre nodes;
  Context& context;
  StoreBuilder builder = {};
  WorkSums work = {};               // of the current process
  LaunchCalls calls = {};           // that launched what names no operation
  IndexPtr<EventLinks> links = {};  // null: nobody needs to know
  NotOfNodes rest = {};
  int64_t counted_ps = 0;             // of all nodes
  Untraced untraced = {};             // of no line of the program
  std::vector<bool> ran = {};         // by ModuleId: some instruction of it did
  ChosenEvents chosen = {};           // with -step
  std::vector<bool> has_inputs = {};  // by node: they were set
  PythonStacks python = {};           // empty unless nodes are one per stack
  NodesByCall by_call = {};
  HostInstructions host_instructions = {};

  // By name; a new one with that type where there is none.
  NodeId NodeOf(std::string_view name, std::string_view type);
  void AddCategory(NodeId node, std::string_view category);
  // Where the work of a node counts that ran below these Python calls (PythonStacks::calls): it,
  // or a copy of it that has their frames. What tells source lines keeps those.
  NodeId Below(NodeId node, uint32_t call);
  bool Asks(uint32_t row) const { return chosen.Takes(row); }
  // How many executions a row stands for.
  int64_t RunsOf(uint32_t row) const;
};

// By EventOps::ops; none: it names no operation. `only_xla`: of instructions only. Error:
// cancelled.
Result<std::vector<NodeId>> NodesOfOps(const EventOps& ops, bool only_xla, Making* making);

// The node of an instruction, made when it is asked first.
NodeId NodeOfInstruction(const Program& program, const Instruction& instruction, Making* making);

// The node of an instruction by its program and name; none: the profile has no such one.
NodeId FindInstructionNode(const CompiledPrograms& programs, HostId host, uint64_t program_id,
                           std::string_view instruction, Making* making);

// Of the module with that number: its name without the number, else "program NUMBER".
std::string ProgramName(HostId host, uint64_t program_id, const Making& making);

// Adds the instructions of the programs that ran, with their inputs and shapes. Error: cancelled.
Result<void> AddPrograms(Making* making);

// The stack of a node, innermost last: "FILE:LINE" per line, or with a column behind it.
void SetSourceLines(NodeId node, std::string_view lines, Making* making);

// The operations of a device process: what its events name, else what their labels are.
struct DeviceOps {
  ProcessId process;
  EventOps ops;
  std::vector<NodeId> of_op;     // by EventOps::ops
  std::vector<NodeId> of_label;  // by label of the process
  uint32_t first_label = 0;
  // Work that names no operation: the calls that launched it are asked, else what it is called.
  std::vector<uint32_t> unnamed;  // rows, ascending
  // By place in `unnamed`; none: it is not told or, once AddDeviceWork is at it, of no operation.
  std::vector<EventId> call_of;
  std::vector<NodeId> unnamed_node;  // the same, once AddDeviceWork is at it; none: unknown

  NodeId Named(const Store& trace, uint32_t row) const {
    const uint32_t op = ops.Of(row);
    if (op != EventOps::kNone && of_op[op].some()) return of_op[op];
    return of_label[trace.events.label[row].value - first_label];
  }
};
Result<std::vector<DeviceOps>> FindDeviceOps(std::span<const ProcessId> devices, Making* making);

// The call that launched work of a device; none: it is not told, or nobody needs to know.
EventId LaunchOf(uint32_t row, const Making& making);

// The calls that launched what names no operation, and their rows. REQUIRES: links, where there is
// such work.
void FindLaunchCalls(std::vector<DeviceOps>* devices, Making* making);

// Of the instructions that the devices name; only where there are Python calls.
void FindHostInstructions(const std::vector<DeviceOps>& devices, Making* making);

// Adds what ran in a process to Making::work. Error: cancelled.
// Hosts tell Making::calls as well; of one that does not count, `counts`, that is all, and only the
// operations that launched something become nodes.
Result<void> AddHostWork(ProcessId process, bool counts, Making* making);
Result<void> AddDeviceWork(DeviceOps* ops, Making* making);

// Tells what of hosts is in the time of two nodes: of an operation that runs for an iterator of
// tf.data on another thread, and of the iterator that waits for it; REQUIRES: counted_ps. Error:
// cancelled.
Result<void> NoteWaitedFor(std::span<const ProcessId> hosts, Making* making);

// Calls add(lane, sums, rest) for lanes of a process, side by side unless nodes come to be
// meanwhile, and adds to Making what all of them made. Error: cancelled.
template <class AddLane>
Result<void> AddLanes(std::span<const Lane* const> lanes, Making* making, AddLane add) {
  std::mutex lock;
  std::vector<WorkSums> spare;  // one for each thread that has been at it
  std::vector<NotOfNodes> rest(lanes.size());
  const size_t bytes = making->python.empty() ? making->trace.events.start_ps.bytes() : 0;
  TFPROF_TRY(ForEachTask(lanes.size(), ThreadsFor(bytes), making->context, [&](size_t i) {
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
  for (const WorkSums& sums : spare) making->work.Add(sums);
  for (const NotOfNodes& of_lane : rest) making->rest.Add(of_lane);
  return {};
}

// Those with rows.
std::vector<const Lane*> LanesThatMeasure(const Store& trace, ProcessId process, Measures what);

}  // namespace tfprof
