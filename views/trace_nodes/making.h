// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/lanes.h"
#include "core/program.h"
#include "core/store_builder.h"
#include "views/chosen_events.h"
#include "views/event_links.h"
#include "views/indexes.h"
#include "views/ops/event_ops.h"
#include "views/trace_nodes.h"
#include "views/trace_nodes/python_stacks.h"

// The parts of MakeTraceNodes.

namespace tfprof {

// What is known of the work of one node in one process.
struct NodeWork {
  int64_t first_ps = kNoTime;
  int64_t ps = 0;
  int64_t runs = 0;
};

// Time on work lanes of devices that belongs to no node, or to one already.
struct Unattributed {
  int64_t events = 0;
  int64_t ps = 0;
  LabelId first;  // of the trace

  void Add(LabelId label, int64_t duration_ps) {
    if (events++ == 0) first = label;
    ps = SaturatingAdd(ps, duration_ps);
  }
};

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

struct Making {
  const Store& trace;
  const Indexes& indexes;
  NodesAre nodes;
  Context& context;
  StoreBuilder builder = {};
  std::vector<NodeWork> work = {};  // of the current process, by node
  // The operation that a host event is or lies in, by EventId; where devices may need to know.
  Column<NodeId> around = {};
  IndexPtr<EventLinks> links = {};    // null: nobody needs to know
  Unattributed unnamed = {};          // neither its operation nor that of its launch is told
  Unattributed unplaced = {};         // told as a sum over many executions
  Unattributed nested = {};           // within other operations of the same lane
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
  void AddWork(NodeId node, int64_t start_ps, int64_t ps, int64_t runs);
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
};
Result<DeviceOps> FindDeviceOps(ProcessId process, Making* making);
// Whether some of its work names no operation, so that the calls that launched it are asked.
bool NeedsLaunches(const DeviceOps& ops, const Making& making);

// Of the instructions that the devices name; only where there are Python calls.
void FindHostInstructions(const std::vector<DeviceOps>& devices, Making* making);

// Adds what ran in a process to Making::work. Error: cancelled.
Result<void> AddHostWork(ProcessId process, Making* making);
Result<void> AddDeviceWork(DeviceOps* ops, Making* making);

}  // namespace tfprof
