// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/call_flops/event_flops.h"
#include "analysis/flops/program.h"
#include "analysis/indexes.h"
#include "analysis/links/event_links.h"
#include "analysis/links/launch_ops.h"
#include "analysis/ops/device_ops.h"
#include "analysis/ops/event_ops.h"
#include "analysis/ops/kernels/tensor_cores.h"
#include "analysis/programs.h"
#include "analysis/runs/gpu_runs.h"
#include "core/base/hash.h"
#include "core/store/details.h"

namespace tfprof {
namespace {

// Events with one name that belong to one operation.
struct LabelOfOp {
  uint32_t op = 0;
  uint32_t label = 0;
  bool operator==(const LabelOfOp&) const = default;
  uint64_t Hash() const { return HashPair(op, label); }
};

// Cache: events with one name mostly belong to one operation.
struct LastOfLabel {
  uint32_t op = EventOps::kNone;
  uint32_t group = 0;
};

struct Work {
  int64_t events = 0;
  int64_t ps = 0;
  int64_t other_ps = 0;  // part of it, outside of kernels
  bool is_eager = false;

  int64_t KernelPs() const { return SaturatingAdd(ps, -other_ps); }
};

constexpr uint32_t kAhead = 8;  // rows

struct Gpu {
  const Measuring& measuring;
  const Store& store;
  const EventOps& ops;
  const DetailColumn& work;
  const DetailColumn& eager;
  SpanOfEvents span = {};
  int64_t unnamed_ps = 0;  // durations of events that record no operation
  GroupIndex<LabelOfOp> index = {};
  std::vector<Work> found = {};
  std::vector<LastOfLabel> last = {};  // by label of the process
  uint32_t first_label = 0;
};

// Returns true for kernels. An event shorter than a nanosecond was not measured.
bool IsKernel(const DetailRange& work, bool all_whole, uint32_t row, int64_t ps) {
  constexpr auto kKernel = static_cast<uint64_t>(WorkKind::kernel);
  return ps >= kPsPerNs && work.Bits(row) == kKernel && (all_whole || work.IsInteger(row));
}

void AddTo(Work* work, int64_t ps, bool is_kernel) {
  ++work->events;
  work->ps = SaturatingAdd(work->ps, ps);
  if (!is_kernel) work->other_ps = SaturatingAdd(work->other_ps, ps);
}

// Adds consecutive rows of a lane that the column `work` stores together. kPlain: all rows are
// selected, and none records whether it is eager. Names come in random order, with their sums at
// random addresses: both are prefetched.
template <bool kPlain>
__attribute__((noinline)) void AddRows(uint32_t row, const DetailRange kinds, Gpu* gpu) {
  const int64_t* const start_ps = gpu->store.events.start_ps.data();
  const int64_t* const duration_ps = gpu->store.events.duration_ps.data();
  const LabelId* const labels = gpu->store.events.label.data();
  LastOfLabel* const last = gpu->last.data();
  const uint32_t first_label = gpu->first_label;
  const auto last_of = [&](uint32_t of_row) { return last + (labels[of_row].value - first_label); };
  const bool all_whole = kinds.AllIntegers();
  DetailCursor eager(gpu->eager);
  SpanOfEvents span = gpu->span;
  int64_t unnamed_ps = gpu->unnamed_ps;
  Work* found = gpu->found.data();
  for (; row < kinds.end; ++row) {
    if (kinds.end - row > 2 * kAhead) {
      __builtin_prefetch(last_of(row + 2 * kAhead));
      __builtin_prefetch(found + last_of(row + kAhead)->group);
    }
    if (!kPlain && !gpu->measuring.chosen.Takes(row)) continue;
    const int64_t ps = duration_ps[row];
    span.Add(start_ps[row], ps);
    const uint32_t op = gpu->ops.Of(row);
    if (op == EventOps::kNone) {
      unnamed_ps = SaturatingAdd(unnamed_ps, ps);
      continue;
    }
    LastOfLabel* const known = last_of(row);
    if (known->op != op) [[unlikely]] {
      *known = {op, gpu->index.Of({op, labels[row].value})};
      if (gpu->index.size() > gpu->found.size()) gpu->found.emplace_back();
      found = gpu->found.data();
    }
    Work& work = found[known->group];
    AddTo(&work, ps, IsKernel(kinds, all_whole, row, ps));
    if (!kPlain) work.is_eager |= eager.Integer(row) > 0;
  }
  gpu->span = span;
  gpu->unnamed_ps = unnamed_ps;
}

Result<void> AddLane(const Lane& lane, Gpu* gpu) {
  DetailCursor work(gpu->work);
  const bool plain = gpu->measuring.chosen.All() && gpu->eager.rows.count == 0;
  const uint32_t end = lane.rows.first + lane.rows.count;
  for (uint32_t row = lane.rows.first; row < end;) {
    TFPROF_TRY(Poll(gpu->measuring.context));
    const DetailRange kinds = work.RangeAt(row, end);
    (plain ? AddRows<true> : AddRows<false>)(row, kinds, gpu);
    row = kinds.end;
  }
  return {};
}

// Adds the events of one name. An operation that launches several kernels ran as often as its most
// frequent kernel; CountRuns counts instructions. `names_are_conclusive`: see NamesShowTensorCores.
void AddWork(const Work& work, TensorCoreUse use, bool names_are_conclusive, OpTime* time) {
  time->occurrences = std::max(time->occurrences, work.events);
  AddPresent(work.events, &time->launches);
  time->total_ps = SaturatingAdd(time->total_ps, work.ps);
  time->self_ps = time->total_ps;
  time->is_eager |= work.is_eager;
  if (!names_are_conclusive) return;
  const int64_t kernel_ps = work.KernelPs();
  time->conclusive_kernel_ps = SaturatingAdd(time->conclusive_kernel_ps, kernel_ps);
  if (!use.is_conclusive)
    time->inconclusive_kernel_ps = SaturatingAdd(time->inconclusive_kernel_ps, kernel_ps);
  if (use.of_old_name) {
    time->tensor_core_ps = SaturatingAdd(time->tensor_core_ps, kernel_ps);
  }
  if (use.of_any_name) {
    time->any_tensor_core_ps = SaturatingAdd(time->any_tensor_core_ps, kernel_ps);
  }
}

// Counts the executions of instructions by the kernels that begin one.
void CountRuns(const Gpu& gpu, const GpuRuns& runs, const Process& process,
               std::vector<OpTime>* times) {
  if (runs.rows.count == 0) return;
  for (OpTime& time : *times) {
    if (time.xla != nullptr) time.occurrences = 0;
  }
  for (uint32_t k = 0; k < process.lanes.count; ++k) {
    const Lane& lane = gpu.store.lanes[process.lanes.first + k];
    if (lane.measures != Measures::accelerator_time) continue;
    for (uint32_t row = lane.rows.first; row < lane.rows.first + lane.rows.count; ++row) {
      const uint32_t op = gpu.ops.Of(row);
      if (op == EventOps::kNone || (*times)[op].xla == nullptr) continue;
      if (runs.Starts(row) && gpu.measuring.chosen.Takes(row)) ++(*times)[op].occurrences;
    }
  }
}

// Costs of the instructions of the programs; each program is analyzed once.
class Costs {
 public:
  Costs(const CompiledPrograms& programs, LibraryCalls library_calls)
      : programs_(programs), library_calls_(library_calls) {}
  void Set(const EventOp& of, OpTime* time) {
    if (of.instruction == Instruction::kNone) return;
    auto found = analyses_.try_emplace(of.module, programs_.Of(of.module), library_calls_).first;
    const Cost cost = found->second.Of(of.instruction);
    const auto runs = static_cast<double>(time->occurrences);
    time->model_flops.Add(cost.flops * runs, time->total_ps);
    time->device_flops.Add(cost.device_flops * runs, time->total_ps);
    time->bytes.Add(cost.bytes * runs, time->total_ps);
  }

 private:
  const CompiledPrograms& programs_;
  LibraryCalls library_calls_;
  std::map<ModuleId, ProgramCost> analyses_;
};

// `runs`: null: as in xprof, an instruction ran as often as its most frequent kernel.
std::vector<OpTime> TimesOf(const Gpu& gpu, const Process& process, const GpuRuns* runs,
                            const CompiledPrograms& programs) {
  const Device& device = gpu.store.devices[process.device.value];
  const bool names_are_conclusive = NamesShowTensorCores(gpu.store.Text(device.vendor));
  std::vector<OpTime> times;
  times.reserve(gpu.ops.ops.size());
  for (const EventOp& op : gpu.ops.ops) times.push_back(DescribeOp(op, programs, gpu.measuring));
  for (size_t i = 0; i < gpu.found.size(); ++i) {
    const LabelOfOp& key = gpu.index.keys()[i];
    const TensorCoreUse use = gpu.measuring.tensor_cores.Of(LabelId(key.label));
    AddWork(gpu.found[i], use, names_are_conclusive, &times[key.op]);
  }
  if (runs != nullptr) CountRuns(gpu, *runs, process, &times);
  Costs costs(programs, gpu.measuring.IsExact() ? LibraryCalls::by_shape : LibraryCalls::unknown);
  for (size_t i = 0; i < times.size(); ++i) costs.Set(gpu.ops.ops[i], &times[i]);
  return times;
}

// Work of one operation that one call launched.
struct CalledWork {
  uint32_t call = 0;
  uint32_t op = 0;
  int64_t ps = 0;

  auto Key() const { return std::tie(call, op); }
};

Result<std::vector<CalledWork>> FindCalledWork(const Gpu& gpu, const Process& process,
                                               const EventFlops& called) {
  Context& context = gpu.measuring.context;
  TFPROF_ASSIGN(const auto links, gpu.measuring.indexes.Get<LaunchLinks>(context));
  std::vector<CalledWork> found;
  for (const Lane& lane : gpu.store.LanesOf(process)) {
    if (lane.measures != Measures::accelerator_time) continue;
    TFPROF_TRY(Poll(context));
    for (const uint32_t row : lane.PlacedRows()) {
      const uint32_t op = gpu.ops.Of(row);
      const EventId launch = LaunchOf(*links, row);
      if (op == EventOps::kNone || !launch.some() || !gpu.measuring.chosen.Takes(row)) continue;
      const uint32_t call = called.owner[launch.value];
      if (call != kNoRow) found.push_back({call, op, gpu.store.events.duration_ps[row]});
    }
  }
  std::ranges::sort(found, {}, &CalledWork::Key);
  return found;
}

// Sums the work of one call and one operation, from work[*at] on.
CalledWork TakeOfOneOp(const std::vector<CalledWork>& work, size_t* at) {
  CalledWork sum = work[(*at)++];
  for (; *at < work.size() && work[*at].Key() == sum.Key(); ++*at) {
    sum.ps = SaturatingAdd(sum.ps, work[*at].ps);
  }
  return sum;
}

// Adds the flops of the calls that launched the work: those of each call to the operation that
// worked longest for it, over that time.
Result<void> AddCalledFlops(const Gpu& gpu, const Process& process, std::vector<OpTime>* times) {
  TFPROF_ASSIGN(const auto called, gpu.measuring.indexes.Get<EventFlops>(gpu.measuring.context));
  if (called->empty()) return {};
  TFPROF_ASSIGN(const auto work, FindCalledWork(gpu, process, *called));
  for (size_t i = 0; i < work.size();) {
    CalledWork longest = TakeOfOneOp(work, &i);
    while (i < work.size() && work[i].call == longest.call) {
      const CalledWork other = TakeOfOneOp(work, &i);
      if (other.ps > longest.ps) longest = other;
    }
    const auto flops = static_cast<double>(called->flops[longest.call]);
    OpTime& time = (*times)[longest.op];
    time.model_flops.Add(flops, longest.ps);
    time.device_flops.Add(flops, longest.ps);
  }
  return {};
}

// Finds the single executions of the operations.
class ExecutionFinder {
 public:
  ExecutionFinder(const Gpu& gpu, const GpuRuns& runs, const LaunchOps& launches,
                  std::vector<OpTime>* times)
      : gpu_(gpu),
        runs_(runs),
        launches_(launches),
        times_(*times),
        started_(times->size(), kNone),
        only_label_(times->size(), kNone) {}

  void AddLane(const Lane& lane) {
    std::fill(started_.begin(), started_.end(), kNone);
    for (uint32_t row = lane.rows.first; row < lane.rows.After(); ++row) {
      const uint32_t op = gpu_.ops.Of(row);
      if (op == EventOps::kNone || !gpu_.measuring.chosen.Takes(row)) continue;
      OpExecutions& executions = gpu_.measuring.Of(&times_[op].executions);
      const int64_t ps = gpu_.store.events.duration_ps[row];
      if (gpu_.store.events.start_ps[row] == kNoTime) executions.unknown = true;  // an aggregate
      if (times_[op].xla != nullptr) {
        AddInstruction(row, op, ps, &executions);
      } else {
        AddKernel(row, op, ps, &executions);
      }
    }
  }

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  void AddInstruction(uint32_t row, uint32_t op, int64_t ps, OpExecutions* executions) {
    if (runs_.Starts(row)) {
      started_[op] = static_cast<uint32_t>(executions->ps.size());
      executions->ps.push_back(ps);
    } else if (started_[op] == kNone) {
      executions->unknown = true;
    } else {
      AddTo(started_[op], ps, executions);
    }
  }
  // An execution of a framework operation is that of its host that launched the kernel.
  void AddKernel(uint32_t row, uint32_t op, int64_t ps, OpExecutions* executions) {
    const uint32_t launched_by = launches_.Around(row);
    if (launched_by == kNoRow) {
      const uint32_t label = gpu_.store.events.label[row].value;
      if (only_label_[op] == kNone) only_label_[op] = label;
      if (only_label_[op] != label) executions->unknown = true;
      executions->ps.push_back(ps);
      return;
    }
    const uint32_t at = index_.Of({op, launched_by});
    if (at == position_.size()) {
      position_.push_back(static_cast<uint32_t>(executions->ps.size()));
      executions->ps.push_back(ps);
    } else {
      AddTo(position_[at], ps, executions);
    }
  }
  static void AddTo(uint32_t at, int64_t ps, OpExecutions* executions) {
    executions->ps[at] = SaturatingAdd(executions->ps[at], ps);
  }

  const Gpu& gpu_;
  const GpuRuns& runs_;
  const LaunchOps& launches_;
  std::vector<OpTime>& times_;
  std::vector<uint32_t> started_;     // by operation: its last execution on the lane
  std::vector<uint32_t> only_label_;  // by operation: of work without a recorded launch
  GroupIndex<LabelOfOp> index_;       // operation, and row of the host's operation
  std::vector<uint32_t> position_;    // by `index_`: in OpExecutions::ps
};

Result<void> AddExecutions(const Gpu& gpu, const Process& process, const GpuRuns& runs,
                           std::vector<OpTime>* times) {
  Context& context = gpu.measuring.context;
  TFPROF_ASSIGN(const auto launches, gpu.measuring.indexes.Get<LaunchOps>(context));
  ExecutionFinder finder(gpu, runs, *launches, times);
  for (const Lane& lane : gpu.store.LanesOf(process)) {
    TFPROF_TRY(Poll(context));
    if (!lane.derived) finder.AddLane(lane);
  }
  return {};
}

}  // namespace

Result<ProcessOps> MeasureGpu(const Measuring& measuring, ProcessId id) {
  const Store& store = measuring.store;
  const Indexes& indexes = measuring.indexes;
  Context& context = measuring.context;
  const Process& process = store.processes[id.value];
  // Includes the keys of FindEventOps.
  constexpr auto kKeys =
      WithOpKeys(AttributeKey::work, AttributeKey::eager, AttributeKey::annotation);
  TFPROF_ASSIGN(const auto columns, indexes.Details(id, kKeys, context));
  IndexPtr<GpuRuns> runs;
  EventOps recorded;
  if (measuring.IsExact()) {
    TFPROF_ASSIGN(runs, indexes.Get<GpuRuns>(id, context));
  } else {
    TFPROF_ASSIGN(recorded, FindEventOps(store, indexes, id, OpSources::recorded, context));
  }
  const EventOps& ops = runs != nullptr ? runs->ops : recorded;
  TFPROF_ASSIGN(const auto programs, indexes.Get<CompiledPrograms>(context));
  Gpu gpu{measuring, store, ops, *columns[0], *columns[1]};
  gpu.last.resize(process.labels.count);
  gpu.first_label = process.labels.first;
  bool any = false;
  for (uint32_t k = 0; k < process.lanes.count; ++k) {
    const Lane& lane = store.lanes[process.lanes.first + k];
    if (lane.derived) continue;
    any |= lane.rows.count > 0;
    TFPROF_TRY(AddLane(lane, &gpu));
  }
  ProcessOps found{id, true, TimesOf(gpu, process, runs.get(), *programs), kNoInt};
  if (measuring.IsExact()) TFPROF_TRY(AddCalledFlops(gpu, process, &found.ops));
  if (measuring.executions != nullptr && runs != nullptr) {
    TFPROF_TRY(AddExecutions(gpu, process, *runs, &found.ops));
  }
  // Removes texts that are not operation names.
  std::erase_if(found.ops, [](const OpTime& t) {
    return t.launches == kNoInt || (t.xla == nullptr && t.provenance.empty());
  });
  if (!any) return found;
  int64_t of_ops_ps = 0, recorded_until_ps = 0;
  for (const Work& work : gpu.found) recorded_until_ps = SaturatingAdd(recorded_until_ps, work.ps);
  for (const OpTime& time : found.ops) of_ops_ps = SaturatingAdd(of_ops_ps, time.self_ps);
  found.idle_ps = std::max<int64_t>(0, SaturatingAdd(gpu.span.ps(), -of_ops_ps));
  // Includes events whose text is not an operation name.
  found.unattributed_ps =
      SaturatingAdd(gpu.unnamed_ps, std::max<int64_t>(0, recorded_until_ps - of_ops_ps));
  return found;
}

}  // namespace tfprof
