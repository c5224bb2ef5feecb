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

#include "analysis/call_flops/event_flops.h"
#include "analysis/chosen_events.h"
#include "analysis/indexes.h"
#include "analysis/intervals/nesting.h"
#include "analysis/links/launch_ops.h"
#include "analysis/ops/event_ops.h"
#include "analysis/programs.h"
#include "analysis/runs/gpu_runs.h"
#include "analysis/trace_nodes/module_scopes.h"
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
  std::unordered_map<uint32_t, std::vector<Frame>> recorded;  // by node: the program's stack
  std::unordered_multimap<uint32_t, NameId> categories;       // by node
  // By file << 32 | function of the outermost traced call: the calls around it.
  std::unordered_map<uint64_t, std::vector<Frame>> callers;
};

// Host events named like a device instruction: they run while it is launched.
struct HostInstructions {
  // By name: placed rows, by start.
  std::unordered_map<std::string_view, std::vector<uint32_t>> rows;

  // Returns the Python calls around the host event of that name that encloses the launch in time;
  // of several, the last one to start.
  uint32_t CallAt(std::string_view instruction, EventId launch, const NodeMaker& maker) const;
};

struct NodeMaker {
  const Store& trace;
  const Indexes& indexes;
  NodeGranularity nodes;
  Context& context;
  StoreBuilder builder = {};
  WorkSums work = {};               // of the current process
  IndexPtr<EventLinks> links = {};  // null: not needed
  UnattributedWork rest = {};
  Tally<NodeId> untraced = {};  // without any source line, in one process each
  std::vector<bool> ran = {};   // by ModuleId: one of its instructions ran
  std::unordered_map<uint32_t, uint64_t> program_of = {};  // by node of an instruction
  ChosenEvents chosen = {};                                // with -step
  std::vector<bool> has_inputs = {};                       // by node: its inputs are set
  IndexPtr<ModuleScopes> scopes = {};                  // of a trace with calls of a model's parts
  std::unordered_map<uint64_t, NodeId> in_scope = {};  // by node << 32 | scope
  PythonStacks python = {};                            // empty unless there is a node per stack
  NodesByCall by_call = {};
  IndexPtr<EventFlops> flops = {};
  std::unordered_map<uint32_t, CalledFlops> called_flops = {};  // by node, over all hosts
  HostInstructions host_instructions = {};
  // By name of an operation: what it allocated. Empty unless memory counts.
  std::unordered_map<std::string, ExecMemory> memory = {};
  bool keeps_executions = false;
  IndexPtr<LaunchOps> launch_ops = {};  // with keeps_executions
  NodeExecutions on_hosts = {}, on_devices = {};

  // Returns the node of that name; creates it with that type if there is none.
  NodeId NodeOf(std::string_view name, std::string_view type);
  void AddCategory(NodeId node, std::string_view category);
  // Returns the node that counts for work of `node` below these Python calls (PythonStacks::calls):
  // the node itself, or a copy with their frames. Without calls, a node keeps the stack that its
  // program records, which is that of compiling.
  NodeId Below(NodeId node, uint32_t call);
  // Returns the node that counts for `node` where it ran in a part of a model: one named
  // SCOPE/NAME.
  NodeId InScope(NodeId node, uint32_t row);
  bool HasScopes() const { return scopes != nullptr && !scopes->empty(); }
  // False: nodes may be created while the rows of lanes are added.
  bool HasAllNodes() const { return python.empty() && !HasScopes(); }
  // Sets the stack of a node, outermost first; nothing without frames.
  void SetFrames(NodeId node, std::span<const Frame> frames);
  bool IsChosen(uint32_t row) const { return chosen.Takes(row); }
  // Returns the number of executions that a row stands for.
  int64_t RunsOf(uint32_t row) const;
};

// By EventOps::ops; none: no operation. `only_xla`: only instructions. Error: cancelled.
Result<std::vector<NodeId>> NodesOfOps(const EventOps& ops, bool only_xla, NodeMaker* maker);

// Returns the node of an instruction; creates it at the first call. Programs keep apart, also where
// their instructions have one name.
NodeId NodeOfInstruction(const Program& program, uint64_t program_id,
                         const Instruction& instruction, NodeMaker* maker);

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
  IndexPtr<GpuRuns> runs;        // null: not a GPU
  std::vector<NodeId> of_op;     // by Ops().ops
  std::vector<NodeId> of_label;  // by label of the process; after AddDeviceWork, also copies
  uint32_t first_label = 0;

  const EventOps& Ops() const {
    static const EventOps kNoOps;
    return runs != nullptr ? runs->ops : kNoOps;
  }
  NodeId Named(const Store& trace, uint32_t row) const {
    const uint32_t op = Ops().Of(row);
    if (op != EventOps::kNone && of_op[op].some()) return of_op[op];
    return of_label[trace.events.label[row].value - first_label];
  }
};
Result<std::vector<DeviceOps>> FindDeviceOps(std::span<const ProcessId> devices, NodeMaker* maker);

// Finds the host events of the instructions that devices name; only if there are Python calls.
void FindHostInstructions(const std::vector<DeviceOps>& devices, NodeMaker* maker);

// Add the work of a process to NodeMaker::work. Error: cancelled.
Result<void> AddHostWork(ProcessId process, NodeMaker* maker);
Result<void> AddDeviceWork(DeviceOps* ops, NodeMaker* maker);

// Finds the memory that allocators of these hosts gave to operations. An operation holds what it
// allocated until it is freed: `peak` is the most at once, `residual` what nobody freed. Errors:
// those of MemoryEvents.
Result<void> FindNodeMemory(std::span<const ProcessId> hosts, NodeMaker* maker);
// Adds the memory of a node to its first row.
void AddMemoryOf(NodeId node, EventId row, NodeMaker* maker);

// Returns the executions that the parts make up.
NodeExecutions ExecutionsOf(const std::vector<ExecutionPart>& parts);

// Calls add(lane, sums, rest) for lanes of a process, in parallel unless nodes are created
// meanwhile, and adds the results of all to Making.
template <class AddLane>
Result<void> AddLanes(std::span<const Lane* const> lanes, NodeMaker* maker, AddLane add) {
  std::mutex lock;
  std::vector<WorkSums> spare;  // one per thread, reused
  std::vector<UnattributedWork> rest(lanes.size());
  const size_t bytes = maker->HasAllNodes() ? maker->trace.events.start_ps.bytes() : 0;
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

}  // namespace tfprof
