// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

#include "analysis/ops/own_clock.h"
#include "core/base/arith.h"
#include "core/base/kept_texts.h"
#include "core/query/query.h"
#include "core/store/op_name.h"
#include "core/store/store.h"

// How long operations took: of the framework on the host, instructions of compiled programs and
// kernels on devices.

namespace tfprof {

class Indexes;
struct ChosenEvents;

// Work, of those runs of which it is known. Nothing added: not known.
struct KnownWork {
  double amount = kNoReal;
  int64_t ps = 0;  // durations of these runs

  void Add(double more, int64_t of_ps);
  void Add(const KnownWork& other) { Add(other.amount, other.ps); }
  bool some() const { return amount == amount; }
  double PerSecond() const;  // NaN: not known
};

// An instruction of a compiled program of XLA.
struct XlaOp {
  uint64_t program_id = 0;
  std::string_view name;
  std::string_view expression;  // as XLA prints it; the name where the trace has no program
  std::string_view category;    // "loop fusion"
  std::string_view source;      // file:line that made it; empty: not told
};

// One operation of one process: on the host a framework operation; on a device an instruction of
// a compiled program, or all kernels of a framework operation. There are as many as nodes, several
// times over while a question is answered: what few of them have stands elsewhere.
struct OpTime {
  const XlaOp* xla = nullptr;   // of OpTimes::instructions; null: it is none
  std::string_view provenance;  // NAME:TYPE of the framework operation; empty: not told

  bool is_eager = false;
  // It awaits what runs beside it (copy-done): its time is no work, and the work that it tells is
  // that of what it awaits.
  bool waits = false;
  bool over_links = false;  // analysis/ops/links.h: the peak of memory is none of its limits
  int64_t occurrences = 0;
  int64_t total_ps = 0;  // durations
  int64_t self_ps = 0;   // less those of operations within
  // Of kernels of a GPU of a vendor whose names tell whether they use tensor cores
  // (analysis/ops/tensor_cores.h).
  int64_t telling_kernel_ps = 0;
  int64_t untold_kernel_ps = 0;    // of them, those whose own name does not tell
  int64_t tensor_core_ps = 0;      // of them, those that do
  int64_t any_tensor_core_ps = 0;  // the same by any name
  KnownWork model_flops;
  KnownWork device_flops;  // what takes 8 or 4 bits counts as less
  KnownWork bytes;

  OpName op() const { return ParseOpName(provenance); }
  // Of the instruction; empty: it is none.
  std::string_view instruction() const { return xla != nullptr ? xla->name : std::string_view(); }
};

struct ProcessOps {
  ProcessId process;
  bool is_device = false;
  std::vector<OpTime> ops;
  // Not spent in operations. Of a device: from the first start to the last end of its work, less
  // the self times; of a host the same per thread, added up. kNoInt: nothing ran.
  int64_t idle_ps = kNoInt;
  // Of a GPU: durations of its kernels and copies that belong to no operation. They are part of
  // idle_ps, as xprof has it.
  int64_t unattributed_ps = 0;
  ClockDifference clocks;  // times of operations are by the clock of the device
};

struct OpTimes {
  std::vector<ProcessOps> processes;  // of hosts and devices, in file order
  // Instructions of compiled programs that ran on hosts themselves. They are no operations of a
  // framework: `processes` does not have them, and nobody knows what they cost or idle is.
  std::vector<ProcessOps> cpus;
  KeptTexts texts;                 // that ops lie in
  std::deque<XlaOp> instructions;  // likewise

  // An index: of all events.
  static Result<OpTimes> Build(const Indexes& indexes, Context& context);
};

// Of the chosen events. Error: cancelled.
Result<OpTimes> MeasureOps(const Store& store, const Indexes& indexes, const ChosenEvents& chosen,
                           Context& context);

// The same of the events that -step asks for; of all they are kept. Errors:
// usage, there is no such step; cancelled.
Result<std::shared_ptr<const OpTimes>> OpsOf(const Store& store, const Indexes& indexes,
                                             const PlaceFilter& place, Context& context);

// The processes that -host and -device let through, hosts or devices.
std::vector<const ProcessOps*> ChooseOps(const Store& store, const OpTimes& times,
                                         const PlaceFilter& place, bool devices);

// Instructions that ran on the hosts that -host and -device let through.
std::vector<const ProcessOps*> ChooseCpus(const Store& store, const OpTimes& times,
                                          const PlaceFilter& place);

// The same operations of several processes as one: instructions by program and text, others by
// operation. By self time, the longest first.
std::vector<OpTime> CombineProcesses(const std::vector<const ProcessOps*>& processes);

inline constexpr std::string_view kUnknownType = "Unknown";

// A framework operation over all that worked for it.
struct FrameworkOp {
  std::string_view name;  // an instruction that no framework operation is told of has its own name
  std::string_view type;  // and kUnknownType
  int64_t occurrences = 0;  // the most of any instruction or kernel that worked for it
  int64_t executions = 0;   // the same of each program, added up
  int64_t total_ps = 0;
  int64_t self_ps = 0;
  int64_t telling_kernel_ps = 0;
  int64_t untold_kernel_ps = 0;
  int64_t tensor_core_ps = 0;
  int64_t any_tensor_core_ps = 0;
  int64_t waiting_ps = 0;  // of total_ps, in instructions that await others
  int64_t link_ps = 0;     // of total_ps, in others that move data over links
  KnownWork model_flops;
  KnownWork device_flops;
  KnownWork bytes;
  bool is_eager = false;
};

// Of all that the processes did, by name and type; by self time, the longest first.
std::vector<FrameworkOp> CombineFramework(const std::vector<const ProcessOps*>& processes);

// The framework operations of the processes that -host and -device let through: of devices, or of
// hosts.
struct SideOps {
  std::vector<const ProcessOps*> processes;
  std::vector<FrameworkOp> ops;  // by self time, the longest first
};
SideOps OpsOfSide(const Store& store, const OpTimes& times, const PlaceFilter& place, bool devices);

// Says of times by the clock of devices that they differ from those of other views, where they do.
void NoteOwnClock(const std::vector<const ProcessOps*>& devices, std::vector<Note>* notes);

// All idle times added up; kNoInt: nothing ran.
int64_t IdleOf(const std::vector<const ProcessOps*>& processes);
int64_t UnattributedOf(const std::vector<const ProcessOps*>& processes);

}  // namespace tfprof
