// SPDX-License-Identifier: Apache-2.0
#include "views/op_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/group_index.h"
#include "core/report.h"
#include "views/chosen_events.h"
#include "views/ops/device_ops.h"
#include "views/place.h"
#include "views/programs.h"

namespace tfprof {
namespace {

// What tells two operations of several processes apart.
struct OfProcesses {
  bool is_xla = false;
  uint64_t program_id = 0;
  std::string_view hlo_name, expression, provenance;

  bool operator==(const OfProcesses&) const = default;
  uint64_t Hash() const {
    // Of an empty text it is 0, which MixHash would multiply with.
    return MixHash(
        tfprof::Hash(hlo_name) ^ program_id ^ 0x9E3779B97F4A7C15u,
        (tfprof::Hash(provenance) + tfprof::Hash(expression) + is_xla) ^ 0xD6E8FEB86659FD93u);
  }
};

struct NameAndType {
  std::string_view name, type;

  bool operator==(const NameAndType&) const = default;
  uint64_t Hash() const {
    return MixHash(tfprof::Hash(name) ^ 0x9E3779B97F4A7C15u,
                   tfprof::Hash(type) ^ 0xD6E8FEB86659FD93u);
  }
};

// A framework operation in one program.
struct InProgram {
  uint32_t op = 0;
  bool is_xla = false;
  uint64_t program_id = 0;

  bool operator==(const InProgram&) const = default;
  uint64_t Hash() const {
    return MixHash(program_id ^ 0x9E3779B97F4A7C15u,
                   (uint64_t{op} * 2 + is_xla) ^ 0xD6E8FEB86659FD93u);
  }
};

// Adds the times and costs of one operation to those of others.
template <class Into>
void AddTimes(const OpTime& from, Into* into) {
  into->total_ps = SaturatingAdd(into->total_ps, from.total_ps);
  into->self_ps = SaturatingAdd(into->self_ps, from.self_ps);
  into->telling_kernel_ps = SaturatingAdd(into->telling_kernel_ps, from.telling_kernel_ps);
  into->tensor_core_ps = SaturatingAdd(into->tensor_core_ps, from.tensor_core_ps);
  into->any_tensor_core_ps = SaturatingAdd(into->any_tensor_core_ps, from.any_tensor_core_ps);
  into->model_flops.Add(from.model_flops);
  into->device_flops.Add(from.device_flops);
  into->bytes.Add(from.bytes);
  into->is_eager |= from.is_eager;
}

DeviceKind KindOf(const Store& store, const Process& process) {
  return process.device.some() ? store.devices[process.device.value].kind : DeviceKind::other;
}

}  // namespace

void KnownWork::Add(double more, int64_t of_ps) {
  if (more != more) return;
  amount = (some() ? amount : 0) + more;
  ps = SaturatingAdd(ps, of_ps);
}

double KnownWork::PerSecond() const {
  return ps > 0 ? amount / (static_cast<double>(ps) / 1e12)
                : std::numeric_limits<double>::quiet_NaN();
}

Result<OpTimes> MeasureOps(const Store& store, const Indexes& indexes, const ChosenEvents& chosen,
                           Context& context) {
  OpTimes times;
  TensorCoreNames tensor_cores(store);
  const Measuring measuring{store, indexes, chosen, times.texts, tensor_cores, context};
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const ProcessId id(i);
    const DeviceKind kind = KindOf(store, store.processes[i]);
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
  if (store.modules.empty()) return times;
  TFPROF_ASSIGN(const auto programs, indexes.Programs(context));
  times.notes = programs->notes;
  return times;
}

Result<std::shared_ptr<const OpTimes>> OpsOf(const Store& store, const Indexes& indexes,
                                             const Query& query, Context& context) {
  if (query.step < 0) return indexes.TimesOfOps(context);
  TFPROF_ASSIGN(const ChosenEvents chosen, ChooseEvents(store, indexes, query, context));
  TFPROF_ASSIGN(OpTimes times, MeasureOps(store, indexes, chosen, context));
  return std::make_shared<const OpTimes>(std::move(times));
}

std::vector<const ProcessOps*> ChooseOps(const Store& store, const OpTimes& times,
                                         const Query& query, bool devices) {
  std::vector<const ProcessOps*> chosen;
  for (const ProcessOps& ops : times.processes) {
    if (ops.is_device != devices) continue;
    if (InPlace(store, store.processes[ops.process.value], query)) chosen.push_back(&ops);
  }
  return chosen;
}

std::vector<const ProcessOps*> ChooseCpus(const Store& store, const OpTimes& times,
                                          const Query& query) {
  std::vector<const ProcessOps*> chosen;
  for (const ProcessOps& ops : times.cpus) {
    if (InPlace(store, store.processes[ops.process.value], query)) chosen.push_back(&ops);
  }
  return chosen;
}

std::vector<OpTime> CombineProcesses(const std::vector<const ProcessOps*>& processes) {
  GroupIndex<OfProcesses> index;
  std::vector<OpTime> combined;
  size_t most = 0;
  for (const ProcessOps* process : processes) most += process->ops.size();
  combined.reserve(most);  // memory that is not touched costs nothing
  for (const ProcessOps* process : processes) {
    for (const OpTime& op : process->ops) {
      const uint32_t at = index.Of({op.is_xla, op.program_id, op.hlo_name, op.expression,
                                    op.is_xla ? std::string_view() : op.provenance});
      if (at == combined.size()) {
        combined.push_back(op);
        continue;
      }
      OpTime& into = combined[at];
      into.occurrences = SaturatingAdd(into.occurrences, op.occurrences);
      AddTimes(op, &into);
    }
  }
  std::stable_sort(combined.begin(), combined.end(), [](const OpTime& a, const OpTime& b) {
    if (a.self_ps != b.self_ps) return a.self_ps > b.self_ps;
    return std::tie(a.hlo_name, a.provenance) < std::tie(b.hlo_name, b.provenance);
  });
  return combined;
}

std::vector<FrameworkOp> CombineFramework(const std::vector<OpTime>& ops) {
  GroupIndex<NameAndType> index;
  GroupIndex<InProgram> programs;
  std::vector<int64_t> most;  // runs of any instruction, by `programs`
  std::vector<FrameworkOp> combined;
  combined.reserve(ops.size());
  for (const OpTime& op : ops) {
    const OpName told = op.op();
    const std::string_view name = op.provenance.empty() ? op.hlo_name : told.name;
    const std::string_view type = told ? told.type : kUnknownType;
    const uint32_t at = index.Of({name, type});
    if (at == combined.size()) combined.push_back({name, type});
    FrameworkOp& into = combined[at];
    into.occurrences = std::max(into.occurrences, op.occurrences);
    const uint32_t program = programs.Of({at, op.is_xla, op.program_id});
    most.resize(programs.size());
    const int64_t before = most[program];
    most[program] = std::max(before, op.occurrences);
    into.executions = SaturatingAdd(into.executions, most[program] - before);
    AddTimes(op, &into);
    if (op.waits || op.over_links) {
      int64_t& ps = op.waits ? into.waiting_ps : into.link_ps;
      ps = SaturatingAdd(ps, op.total_ps);
    }
  }
  std::stable_sort(combined.begin(), combined.end(),
                   [](const FrameworkOp& a, const FrameworkOp& b) {
                     if (a.self_ps != b.self_ps) return a.self_ps > b.self_ps;
                     return std::tie(a.name, a.type) < std::tie(b.name, b.type);
                   });
  return combined;
}

SideOps OpsOfSide(const Store& store, const OpTimes& times, const Query& query, bool devices) {
  SideOps side{ChooseOps(store, times, query, devices), {}};
  side.ops = CombineFramework(CombineProcesses(side.processes));
  return side;
}

void NoteOwnClock(const std::vector<const ProcessOps*>& devices, Report* report) {
  ClockDifference clocks;
  for (const ProcessOps* device : devices) clocks.Add(device->clocks);
  if (!clocks.IsWorthANote()) return;
  report->notes.push_back(
      {fmt::format(
           "times are by the clock of the devices (device_duration_ps); those of op, scope, "
           "why and planes are by that of the trace, which differ from them by {:.1f} %",
           clocks.Percent()),
       1, "", kNoInt});
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
