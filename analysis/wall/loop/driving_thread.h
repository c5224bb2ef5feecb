// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/intervals/nesting.h"
#include "analysis/wall/loop/executions.h"
#include "core/store/store.h"

namespace tfprof {

// The attributes of the events of a host's threads that the functions here read.
struct ThreadColumns {
  IndexPtr<DetailColumn> step_number, tracing, is_function, eager_op;

  static Result<ThreadColumns> Read(const Indexes& indexes, ProcessId process, Context& context);
  bool IsMarker(const Store& store, uint32_t row) const;
  bool IsTraced(uint32_t row) const;  // the call of a function that built its graph
  // True for an operation that is executed eagerly, not: a function.
  bool IsEagerOp(const Store& store, uint32_t row) const;
  bool IsFunctionCall(const Store& store, uint32_t row) const;
  // The operation or function that an eager executor runs; empty: not recorded.
  std::string_view EagerOp(uint32_t row) const;
};

// Returns the name of what an event calls. REQUIRES: its role is program_call.
std::string_view CalledName(const Store& store, uint32_t row);
// True if a compiled program is that of a function: XLA names the one of f jit_f, and replaces
// special characters.
bool IsProgramOf(std::string_view program, std::string_view function);

// A call of a compiled program or of a function by the program, not from within another one.
struct ProgramCall {
  uint32_t row = 0;
  std::string_view name;
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  bool compiles = false;
  bool traces = false;
};

// The calls on one thread.
struct ThreadCalls {
  std::vector<ProgramCall> calls;  // by start
  // By row - LaneNesting::first: the call, in `calls`, that the event belongs to; kNoRow: none.
  std::vector<uint32_t> call_of;
};
ThreadCalls CallsOn(const Store& store, const LaneNesting& nesting, const ThreadColumns& columns);

// The thread of a host that runs the program's loop.
struct DrivingThread {
  LaneId lane;  // none: the host recorded no thread
  LaneNesting nesting;
  ThreadColumns columns;
  std::vector<ProgramCall> calls;  // by start
  std::vector<uint32_t> markers;   // of steps, by start
  std::vector<uint32_t> updates;   // of what the program learns, by start
  std::string_view main_call;      // the name of the calls that take most; empty: none repeats
  std::string main_program;        // its name among the executions; empty: unknown
  bool records_python = false;
  bool is_keras = false;  // the main call is a train function of Keras, which calls callbacks too

  // True if the call is one of those that take most.
  bool IsMain(const ProgramCall& call) const { return call.name == main_call; }
};

// Finds the thread with most step markers, else with most calls, else with most time; then its
// calls. `device_program`: the compiled program with most time on devices; may be empty. Errors:
// cancelled; those of Indexes::Details.
Result<DrivingThread> FindDrivingThread(const Store& store, const Indexes& indexes,
                                        ProcessId process, const HostExecutions& executions,
                                        std::string_view device_program, Context& context);

}  // namespace tfprof
