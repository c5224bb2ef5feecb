// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/op_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/chosen_events.h"
#include "analysis/indexes.h"
#include "analysis/ops/device_ops.h"
#include "analysis/place.h"
#include "analysis/programs.h"
#include "core/base/hash.h"
#include "core/store/note_catalogue.h"

namespace tfprof {
namespace {

// Identifies an operation across processes.
struct OfProcesses {
  const XlaOp* xla = nullptr;
  std::string_view provenance;  // empty for an instruction

  bool operator==(const OfProcesses& other) const {
    if (xla == nullptr || other.xla == nullptr) {
      return xla == other.xla && provenance == other.provenance;
    }
    return xla->program_id == other.xla->program_id && xla->name == other.xla->name &&
           xla->expression == other.xla->expression;
  }
  uint64_t Hash() const {
    if (xla == nullptr) return tfprof::Hash(provenance);
    return HashPair(tfprof::Hash(xla->name) ^ xla->program_id, tfprof::Hash(xla->expression));
  }
};

struct NameAndType {
  std::string_view name, type;

  bool operator==(const NameAndType&) const = default;
  uint64_t Hash() const { return HashPair(tfprof::Hash(name), tfprof::Hash(type)); }
};

// A framework operation in one program, or in none.
struct InProgram {
  uint32_t op = 0;
  bool is_xla = false;
  uint64_t program_id = 0;

  bool operator==(const InProgram&) const = default;
  uint64_t Hash() const { return HashPair(program_id, uint64_t{op} * 2 + is_xla); }
};

// Adds the times and costs of one operation to those of others.
template <class Into>
void AddTimes(const OpTime& from, Into* into) {
  into->total_ps = SaturatingAdd(into->total_ps, from.total_ps);
  into->self_ps = SaturatingAdd(into->self_ps, from.self_ps);
  into->conclusive_kernel_ps = SaturatingAdd(into->conclusive_kernel_ps, from.conclusive_kernel_ps);
  into->inconclusive_kernel_ps =
      SaturatingAdd(into->inconclusive_kernel_ps, from.inconclusive_kernel_ps);
  into->tensor_core_ps = SaturatingAdd(into->tensor_core_ps, from.tensor_core_ps);
  into->any_tensor_core_ps = SaturatingAdd(into->any_tensor_core_ps, from.any_tensor_core_ps);
  into->model_flops.Add(from.model_flops);
  into->device_flops.Add(from.device_flops);
  into->bytes.Add(from.bytes);
  into->is_eager |= from.is_eager;
}

// Orders by self time, descending. No two are equal, so an unstable sort is enough.
bool IsBefore(const OpTime& a, const OpTime& b) {
  static const XlaOp kNone;
  if (a.self_ps != b.self_ps) return a.self_ps > b.self_ps;
  const XlaOp& x = a.xla != nullptr ? *a.xla : kNone;
  const XlaOp& y = b.xla != nullptr ? *b.xla : kNone;
  return std::tie(x.name, a.provenance, x.program_id, x.expression) <
         std::tie(y.name, b.provenance, y.program_id, y.expression);
}

using Processes = std::vector<const ProcessOps*>;

// Finds equal operations of several processes.
struct SameOps {
  std::vector<const OpTime*> first;  // of each group, in order of appearance
  std::vector<uint32_t> of;  // by operation of the processes, in order: its position in `first`
};

SameOps FindSame(const Processes& processes) {
  GroupIndex<OfProcesses> index;
  SameOps same;
  for (const ProcessOps* process : processes) {
    for (const OpTime& op : process->ops) {
      same.of.push_back(index.Of({op.xla, op.provenance}));
      if (index.size() > same.first.size()) same.first.push_back(&op);
    }
  }
  return same;
}

// Calls each(op, position in same.first) for all operations of the processes.
template <class Each>
void EachOp(const Processes& processes, const SameOps& same, Each each) {
  const uint32_t* of = same.of.data();
  for (const ProcessOps* process : processes) {
    for (const OpTime& op : process->ops) each(op, *of++);
  }
}

// Creates the framework operations of `same` and counts their runs. `runs`: by position in `same`.
// Returns the position of the framework operation, by position in `same`.
std::vector<uint32_t> CountRuns(const SameOps& same, const std::vector<int64_t>& runs,
                                std::vector<FrameworkOp>* combined) {
  GroupIndex<NameAndType> index;
  GroupIndex<InProgram> programs;
  std::vector<int64_t> max;  // max runs of any instruction, by `programs`
  std::vector<uint32_t> into(same.first.size());
  for (size_t i = 0; i < into.size(); ++i) {
    const OpTime& op = *same.first[i];
    const auto [name, type] = FrameworkNameOf(op);
    into[i] = index.Of({name, type});
    if (into[i] == combined->size()) combined->push_back({name, type});
    FrameworkOp& sum = (*combined)[into[i]];
    sum.occurrences = std::max(sum.occurrences, runs[i]);
    const bool is_xla = op.xla != nullptr;
    const uint32_t program = programs.Of({into[i], is_xla, is_xla ? op.xla->program_id : 0});
    max.resize(programs.size());
    const int64_t before = max[program];
    max[program] = std::max(before, runs[i]);
    sum.executions = SaturatingAdd(sum.executions, max[program] - before);
  }
  return into;
}

}  // namespace

void KnownWork::Add(double more, int64_t of_ps) {
  if (more != more) return;
  amount = (some() ? amount : 0) + more;
  ps = SaturatingAdd(ps, of_ps);
}

double KnownWork::PerSecond() const {
  return ps > 0 ? amount / (static_cast<double>(ps) / 1e12) : kNoReal;
}

Result<OpTimes> MeasureOps(const Store& store, const Indexes& indexes, OpAccounting accounting,
                           const ChosenEvents& chosen, Context& context, bool executions) {
  OpTimes times;
  TensorCoreNames tensor_cores(store);
  const Measuring measuring{store,        indexes,     accounting,
                            chosen,       times.texts, times.instructions,
                            tensor_cores, context,     executions ? &times.executions : nullptr};
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const ProcessId id(i);
    const DeviceKind kind = DeviceKindOf(store, store.processes[i]);
    if (kind == DeviceKind::gpu) {
      TFPROF_ASSIGN(ProcessOps ops, MeasureGpu(measuring, id));
      times.processes.push_back(std::move(ops));
    } else if (kind == DeviceKind::tpu) {
      TFPROF_ASSIGN(ProcessOps ops, MeasureTpu(measuring, id));
      times.processes.push_back(std::move(ops));
    } else if (store.processes[i].kind == ProcessKind::host) {
      TFPROF_ASSIGN(ProcessOps ops, MeasureHost(measuring, id));
      times.processes.push_back(std::move(ops));
      TFPROF_ASSIGN(ProcessOps cpu, MeasureCpu(measuring, id));
      if (!cpu.ops.empty()) times.cpus.push_back(std::move(cpu));
    }
  }
  return times;
}

Result<OpTimes> OpTimes::Build(const Indexes& indexes, OpAccounting accounting, Context& context) {
  return MeasureOps(*indexes.store(), indexes, accounting, ChosenEvents(), context);
}

Result<std::shared_ptr<const OpTimes>> OpsOf(const Store& store, const Indexes& indexes,
                                             const PlaceFilter& place, OpAccounting accounting,
                                             Context& context, bool executions) {
  if (place.step < 0 && !executions) return indexes.Get<OpTimes>(accounting, context);
  TFPROF_ASSIGN(const ChosenEvents chosen, ChooseEvents(store, indexes, place, context));
  TFPROF_ASSIGN(OpTimes times, MeasureOps(store, indexes, accounting, chosen, context, executions));
  return std::make_shared<const OpTimes>(std::move(times));
}

std::vector<const ProcessOps*> ChooseOps(const Store& store, const OpTimes& times,
                                         const PlaceFilter& place, bool devices) {
  std::vector<const ProcessOps*> chosen;
  for (const ProcessOps& ops : times.processes) {
    if (ops.is_device != devices) continue;
    if (MatchesPlace(store, store.processes[ops.process.value], place)) chosen.push_back(&ops);
  }
  return chosen;
}

std::vector<const ProcessOps*> ChooseCpus(const Store& store, const OpTimes& times,
                                          const PlaceFilter& place) {
  std::vector<const ProcessOps*> chosen;
  for (const ProcessOps& ops : times.cpus) {
    if (MatchesPlace(store, store.processes[ops.process.value], place)) chosen.push_back(&ops);
  }
  return chosen;
}

std::vector<OpTime> CombineProcesses(const Processes& processes) {
  const SameOps same = FindSame(processes);
  std::vector<OpTime> combined;
  combined.reserve(same.first.size());
  EachOp(processes, same, [&](const OpTime& op, uint32_t at) {
    if (at == combined.size()) {
      combined.push_back(op);
      return;
    }
    combined[at].occurrences = SaturatingAdd(combined[at].occurrences, op.occurrences);
    if (op.launches != kNoInt) AddPresent(op.launches, &combined[at].launches);
    AddTimes(op, &combined[at]);
  });
  std::sort(combined.begin(), combined.end(), IsBefore);
  return combined;
}

FrameworkName FrameworkNameOf(const OpTime& op) {
  const OpName recorded = op.op();
  const bool has_own = op.xla != nullptr && !op.xla->type.empty();
  return {op.provenance.empty() ? op.instruction() : recorded.name, recorded  ? recorded.type
                                                                    : has_own ? op.xla->type
                                                                              : kUnknownType};
}

std::vector<RowDuration> ExecutionsOfOps(
    const Processes& processes,
    const std::function<uint32_t(const ProcessOps&, const OpTime&)>& row_of) {
  std::map<std::pair<uint32_t, uint64_t>, std::string_view> instruction;  // by row and program
  std::set<uint32_t> unknown;
  std::vector<RowDuration> found;
  for (const ProcessOps* process : processes) {
    for (const OpTime& op : process->ops) {
      const uint32_t row = row_of(*process, op);
      if (row == kNoRow) continue;
      if (op.xla != nullptr) {
        const auto first = instruction.try_emplace({row, op.xla->program_id}, op.xla->name).first;
        if (first->second != op.xla->name) unknown.insert(row);
      }
      if (op.executions == nullptr || op.executions->unknown) {
        unknown.insert(row);
        continue;
      }
      for (const int64_t ps : op.executions->ps) found.push_back({row, ps});
    }
  }
  std::erase_if(found, [&](const RowDuration& one) { return unknown.contains(one.row); });
  return found;
}

std::vector<FrameworkOp> CombineFramework(const Processes& processes) {
  const SameOps same = FindSame(processes);
  std::vector<int64_t> runs(same.first.size());
  EachOp(processes, same, [&](const OpTime& op, uint32_t at) {
    runs[at] = SaturatingAdd(runs[at], op.occurrences);
  });
  std::vector<FrameworkOp> combined;
  const std::vector<uint32_t> into = CountRuns(same, runs, &combined);
  EachOp(processes, same, [&](const OpTime& op, uint32_t at) {
    FrameworkOp& sum = combined[into[at]];
    AddTimes(op, &sum);
    sum.may_use_matrix_units |= op.may_use_matrix_units;
    if (op.is_async_done || op.over_links) {
      int64_t& ps = op.is_async_done ? sum.stalled_ps : sum.link_ps;
      ps = SaturatingAdd(ps, op.total_ps);
    }
  });
  std::sort(combined.begin(), combined.end(), [](const FrameworkOp& a, const FrameworkOp& b) {
    if (a.self_ps != b.self_ps) return a.self_ps > b.self_ps;
    return std::tie(a.name, a.type) < std::tie(b.name, b.type);
  });
  return combined;
}

SideOps OpsOfSide(const Store& store, const OpTimes& times, const PlaceFilter& place,
                  bool devices) {
  SideOps side{ChooseOps(store, times, place, devices), {}};
  side.ops = CombineFramework(side.processes);
  return side;
}

void NoteDeviceClock(const std::vector<const ProcessOps*>& devices, OpAccounting accounting,
                     std::vector<Note>* notes) {
  ClockDifference clocks;
  for (const ProcessOps* device : devices) clocks.Add(device->clocks);
  if (!clocks.DeservesNote()) return;
  const NoteRow& what = accounting == OpAccounting::original ? note::times_by_device_clock
                                                             : note::times_by_trace_clock;
  notes->push_back({note::With(what, {clocks.DisplayText()}), 1, "", kNoInt});
}

int64_t IdleOf(const std::vector<const ProcessOps*>& processes) {
  int64_t idle_ps = kNoInt;
  for (const ProcessOps* process : processes) {
    if (process->idle_ps == kNoInt) continue;
    idle_ps = SaturatingAdd(idle_ps == kNoInt ? 0 : idle_ps, process->idle_ps);
  }
  return idle_ps;
}

int64_t UnattributedOf(const std::vector<const ProcessOps*>& processes) {
  int64_t ps = 0;
  for (const ProcessOps* process : processes) ps = SaturatingAdd(ps, process->unattributed_ps);
  return ps;
}

}  // namespace tfprof
