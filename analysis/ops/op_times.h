// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "analysis/durations.h"
#include "analysis/ops/device_clock.h"
#include "core/base/arith.h"
#include "core/query/query.h"
#include "core/store/op_name.h"
#include "core/store/store.h"
#include "core/text/kept_texts.h"

// Times of operations: framework operations on hosts, instructions of compiled programs and kernels
// on devices.

namespace tfprof {

class Indexes;
struct ChosenEvents;

// Work over the runs for which it is known. Default: unknown.
struct KnownWork {
  double amount = kNoReal;
  int64_t ps = 0;  // duration of these runs

  void Add(double more, int64_t of_ps);
  void Add(const KnownWork& other) { Add(other.amount, other.ps); }
  bool some() const { return amount == amount; }
  double PerSecond() const;  // NaN: unknown
};

// The rules by which operations are counted and timed.
enum class OpAccounting : uint8_t {
  exact,     // those of docs/measures.md
  original,  // those of xprof, for -ids original
};
inline OpAccounting AccountingOf(const Display& display) {
  return display.original_ids ? OpAccounting::original : OpAccounting::exact;
}

// An instruction of a compiled program of XLA.
struct XlaOp {
  uint64_t program_id = 0;
  std::string_view name;
  // Of an instruction that came from no operation: its opcode, else its category or name without
  // its number. Empty for OpAccounting::original.
  std::string_view type;
  std::string_view expression;  // as XLA prints it; the name if the trace has no program
  std::string_view category;    // "loop fusion"
  std::string_view source;      // FILE:LINE of its origin; empty: not recorded
};

// Single executions of an operation.
struct OpExecutions {
  std::vector<int64_t> ps;  // self times
  bool unknown = false;     // some cannot be separated
};

// An operation of one process: a framework operation on the host; on a device, an instruction of a
// compiled program, or all kernels of a framework operation. There are as many as nodes, several
// times during a query: rare facts are stored elsewhere.
struct OpTime {
  const XlaOp* xla = nullptr;          // in OpTimes::instructions; null: not an instruction
  OpExecutions* executions = nullptr;  // in OpTimes::executions; null: not asked for, or none known
  std::string_view provenance;         // NAME:TYPE of the framework operation; empty: not recorded

  EventClass of = EventClass::none;  // of the operation, where a host event has it

  bool is_eager = false;
  // It stalls on a parallel instruction (copy-done): its time is not work, and the work that it
  // records is that of the other instruction.
  bool is_async_done = false;
  bool over_links = false;  // analysis/ops/links.h: memory bandwidth does not limit it
  // False: its program shows that it has no product, convolution or library call.
  bool may_use_matrix_units = true;
  int64_t occurrences = 0;    // executions
  int64_t launches = kNoInt;  // kernels and copies, on a GPU
  int64_t total_ps = 0;       // durations
  int64_t self_ps = 0;        // minus enclosed operations
  // Kernels on a GPU whose vendor's kernel names show the use of tensor cores
  // (analysis/ops/kernels/tensor_cores.h).
  int64_t conclusive_kernel_ps = 0;
  int64_t inconclusive_kernel_ps = 0;  // of these, kernels whose own name does not show it
  int64_t tensor_core_ps = 0;          // of these, kernels that use them
  int64_t any_tensor_core_ps = 0;      // likewise, by any name
  KnownWork model_flops;
  KnownWork device_flops;  // 8-bit and 4-bit operands count as less
  KnownWork bytes;

  OpName op() const { return OpNameOf(of, provenance); }
  // The instruction's name; empty: not an instruction.
  std::string_view instruction() const { return xla != nullptr ? xla->name : std::string_view(); }
};

struct ProcessOps {
  ProcessId process;
  bool is_device = false;
  std::vector<OpTime> ops;
  // Time outside of operations, as in xprof. On a device: from the first start to the last end of
  // its work, minus the self times. On a host: likewise per thread, summed. kNoInt: nothing ran.
  int64_t idle_ps = kNoInt;
  // On a GPU: durations of kernels and copies that belong to no operation. They are part of
  // idle_ps, as in xprof.
  int64_t unattributed_ps = 0;
  ClockDifference clocks;  // of the device's own clock
};

struct OpTimes {
  std::vector<ProcessOps> processes;  // hosts and devices, in file order
  // Instructions of compiled programs that ran on the hosts themselves. They are not framework
  // operations, so `processes` does not include them, and their cost and idle time are unknown.
  std::vector<ProcessOps> cpus;
  KeptTexts texts;                 // owns the texts of the operations
  std::deque<XlaOp> instructions;  // likewise
  std::deque<OpExecutions> executions;

  // An index over all events.
  using Key = OpAccounting;
  static Result<OpTimes> Build(const Indexes& indexes, OpAccounting accounting, Context& context);
};

// Measures the chosen events, `executions`: also single executions. Error: cancelled.
Result<OpTimes> MeasureOps(const Store& store, const Indexes& indexes, OpAccounting accounting,
                           const ChosenEvents& chosen, Context& context, bool executions = false);

// Measures the events that -step selects; the result for all events without single executions is
// cached. Errors: usage, no such step; cancelled.
Result<std::shared_ptr<const OpTimes>> OpsOf(const Store& store, const Indexes& indexes,
                                             const PlaceFilter& place, OpAccounting accounting,
                                             Context& context, bool executions = false);

// Returns the processes selected by -host and -device: hosts or devices.
std::vector<const ProcessOps*> ChooseOps(const Store& store, const OpTimes& times,
                                         const PlaceFilter& place, bool devices);

// Returns the instructions that ran on the hosts selected by -host and -device.
std::vector<const ProcessOps*> ChooseCpus(const Store& store, const OpTimes& times,
                                          const PlaceFilter& place);

// Merges equal operations of several processes: instructions by program and text, others by
// operation. Descending by self time.
std::vector<OpTime> CombineProcesses(const std::vector<const ProcessOps*>& processes);

inline constexpr std::string_view kUnknownType = "Unknown";

// A framework operation, summed over all instructions and kernels that belong to it.
struct FrameworkOp {
  std::string_view name;    // an instruction without a framework operation has its own name
  std::string_view type;    // and XlaOp::type, else kUnknownType
  int64_t occurrences = 0;  // the max over the instructions and kernels that belong to it
  int64_t executions = 0;   // likewise per program, summed
  int64_t total_ps = 0;
  int64_t self_ps = 0;
  int64_t conclusive_kernel_ps = 0;
  int64_t inconclusive_kernel_ps = 0;
  int64_t tensor_core_ps = 0;
  int64_t any_tensor_core_ps = 0;
  int64_t stalled_ps = 0;  // part of total_ps, in async-done instructions
  int64_t link_ps = 0;     // part of total_ps, in other instructions that move data over links
  bool may_use_matrix_units = false;  // one of them may
  KnownWork model_flops;
  KnownWork device_flops;
  KnownWork bytes;
  bool is_eager = false;
};

// The name and the type of the framework operation that `op` belongs to.
struct FrameworkName {
  std::string_view name, type;
  auto operator<=>(const FrameworkName&) const = default;
};
FrameworkName FrameworkNameOf(const OpTime& op);

// Merges the operations of the processes by name and type, descending by self time.
std::vector<FrameworkOp> CombineFramework(const std::vector<const ProcessOps*>& processes);

// The framework operations of the processes selected by -host and -device: of devices, or of hosts.
struct SideOps {
  std::vector<const ProcessOps*> processes;
  std::vector<FrameworkOp> ops;  // descending by self time
};
SideOps OpsOfSide(const Store& store, const OpTimes& times, const PlaceFilter& place, bool devices);

// Returns the single executions by row. row_of(process, op): kNoRow: in no row. A row with several
// instructions of one program has none: what an execution of it consists of is not recorded.
std::vector<RowDuration> ExecutionsOfOps(
    const std::vector<const ProcessOps*>& processes,
    const std::function<uint32_t(const ProcessOps&, const OpTime&)>& row_of);

// Adds a note if the devices' own clocks differ from that of the trace.
void NoteDeviceClock(const std::vector<const ProcessOps*>& devices, OpAccounting accounting,
                     std::vector<Note>* notes);

// The sum of all idle times; kNoInt: nothing ran.
int64_t IdleOf(const std::vector<const ProcessOps*>& processes);
int64_t UnattributedOf(const std::vector<const ProcessOps*>& processes);

}  // namespace tfprof
