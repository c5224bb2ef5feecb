// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/kernels/kernel_rows.h"

#include <algorithm>
#include <tuple>

#include "analysis/indexes.h"
#include "analysis/ops/kernels/launches.h"
#include "analysis/ops/kernels/tensor_cores.h"
#include "analysis/place.h"
#include "core/base/hash.h"

namespace tfprof {
namespace {

// Identifies a row. Texts are ids in KernelRows::texts, the name is an id in the store; `grid` and
// `block` may be none.
struct RowKey {
  uint32_t host, name, op, grid, block;
  int64_t registers, shmem_bytes;
  bool op_could, names_are_conclusive;

  bool operator==(const RowKey&) const = default;
  uint64_t Hash() const {
    const uint64_t a = uint64_t{name} << 32 | op;
    const uint64_t b = (uint64_t{grid} << 32 | block) ^ static_cast<uint64_t>(registers) << 40;
    const uint64_t c = static_cast<uint64_t>(shmem_bytes) ^ uint64_t { host } << 32;
    const uint64_t flags = op_could + 2 * names_are_conclusive;
    return HashPair(a, HashPair(b, c + flags));
  }
};

struct Merging {
  const Store& store;
  TensorCoreNames tensor_cores;
  GroupIndex<RowKey> index = {};
  std::vector<KernelRow> rows = {};  // still without the texts that are ids
  Names texts = {};
  std::vector<RowDuration> durations = {};  // by position in `rows`
};

// Values that many groups of a process share, computed once.
struct OfProcess {
  std::vector<uint32_t> op_name;      // by operation: in Merging::texts
  std::vector<uint8_t> op_could;      // by operation
  std::vector<uint8_t> label_uses;    // by label: whether it uses tensor cores
  std::vector<uint32_t> grid, block;  // by text of Launches: in Merging::texts
  bool names_are_conclusive = false;
};

std::vector<uint32_t> InternAll(const DetailTexts& from, Names* into) {
  std::vector<uint32_t> ids;
  for (uint32_t i = 0; i < from.size(); ++i) ids.push_back(into->Intern(from[NameId(i)]).value);
  return ids;
}

OfProcess Prepare(const Process& process, const Launches& launches, Merging* all) {
  OfProcess of;
  const Device& device = all->store.devices[process.device.value];
  of.names_are_conclusive = NamesShowTensorCores(all->store.Text(device.vendor));
  for (const EventOp& op : launches.ops.ops) {
    of.op_name.push_back(all->texts.Intern(op.op.name).value);
    of.op_could.push_back(CouldUseTensorCores(op.op.name));
  }
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const LabelId label(process.labels.first + i);
    of.label_uses.push_back(all->tensor_cores.Of(label).of_old_name);
  }
  of.grid = InternAll(launches.grids, &all->texts);
  of.block = InternAll(launches.blocks, &all->texts);
  return of;
}

RowKey KeyOf(const Process& process, const LaunchGroup& group, const OfProcess& of, Merging* all) {
  const bool has_op = group.op != EventOps::kNone && of.op_name[group.op] != 0;
  RowKey key{};
  key.host = process.host.value;
  key.name = all->store.labels[group.label.value].name.value;
  key.op = has_op ? of.op_name[group.op] : 0;
  key.grid = group.grid.some() ? of.grid[group.grid.value] : NameId::kNone;
  key.block = group.block.some() ? of.block[group.block.value] : NameId::kNone;
  key.registers = group.registers;
  key.shmem_bytes = group.shmem_bytes;
  key.names_are_conclusive = of.names_are_conclusive;
  key.op_could = of.names_are_conclusive && has_op &&
                 (group.is_product || of.op_could[group.op] != 0 ||
                  of.label_uses[group.label.value - process.labels.first] != 0);
  return key;
}

// Returns the position of its row.
uint32_t AddGroup(const RowKey& key, const LaunchGroup& group, Merging* all) {
  const uint32_t at = all->index.Of(key);
  if (at == all->rows.size()) {
    KernelRow& row = all->rows.emplace_back();
    row.number = at;
    row.registers = key.registers;
    row.shmem_bytes = key.shmem_bytes;
    row.op_could = key.op_could;
    row.names_are_conclusive = key.names_are_conclusive;
    row.shared_bytes = group.shared_bytes;
    row.occupancy_pct = group.occupancy_pct;
    row.min_ps = group.min_ps;
  }
  KernelRow& row = all->rows[at];
  if (row.shared_bytes != group.shared_bytes) row.shared_bytes = kNoInt;
  row.occurrences += group.occurrences;
  row.total_ps = SaturatingAdd(row.total_ps, group.total_ps);
  row.min_ps = std::min(row.min_ps, group.min_ps);
  row.max_ps = std::max(row.max_ps, group.max_ps);
  return at;
}

KernelRows Finish(Merging all) {
  KernelRows found;
  found.texts = std::move(all.texts);
  found.rows = std::move(all.rows);
  found.durations = std::move(all.durations);
  for (size_t i = 0; i < found.rows.size(); ++i) {
    const RowKey& key = all.index.keys()[i];
    KernelRow& row = found.rows[i];
    row.host = HostName(all.store, HostId(key.host));
    row.name = all.store.names[NameId(key.name)];
    row.op_name = found.texts[NameId(key.op)];
    if (key.grid != NameId::kNone) row.grid = found.texts[NameId(key.grid)];
    if (key.block != NameId::kNone) row.block = found.texts[NameId(key.block)];
    found.launches += row.occurrences;
    found.total_ps = SaturatingAdd(found.total_ps, row.total_ps);
    if (!row.names_are_conclusive) continue;
    const TensorCoreUse use = all.tensor_cores.Of(NameId(key.name));
    row.uses_tensor_cores = use.of_old_name;
    row.uses_tensor_cores_by_any_name = use.of_any_name;
    row.name_is_conclusive = use.is_conclusive;
  }
  std::sort(found.rows.begin(), found.rows.end(), PrecedesKernel);
  return found;
}

}  // namespace

bool PrecedesKernel(const KernelRow& a, const KernelRow& b) {
  if (a.total_ps != b.total_ps) return a.total_ps > b.total_ps;
  const auto rest = [](const KernelRow& r) {
    return std::tuple(r.host, r.name, r.grid, r.block, r.registers, r.shmem_bytes, r.op_could,
                      r.op_name, r.launched_by);
  };
  return rest(a) < rest(b);
}

Result<KernelRows> KernelRows::Build(const Indexes& indexes, const Key& key, Context& context) {
  const Store& store = *indexes.store();
  const PlaceFilter& place = key.place;
  TFPROF_ASSIGN(const ChosenEvents chosen, ChooseEvents(store, indexes, place, context));
  Merging all{store, TensorCoreNames(store)};
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (DeviceKindOf(store, process) != DeviceKind::gpu || !MatchesPlace(store, process, place))
      continue;
    TFPROF_ASSIGN(const Launches launches,
                  GroupLaunches(store, indexes, ProcessId(i), key.accounting, chosen, key.durations,
                                context));
    const OfProcess of = Prepare(process, launches, &all);
    std::vector<uint32_t> row_of;  // by group
    for (const LaunchGroup& group : launches.groups) {
      row_of.push_back(AddGroup(KeyOf(process, group, of, &all), group, &all));
    }
    for (const RowDuration& one : launches.durations) {
      all.durations.push_back({row_of[one.row], one.ps});
    }
  }
  return Finish(std::move(all));
}

}  // namespace tfprof
