// SPDX-License-Identifier: Apache-2.0
#include "views/ops/kernel_rows.h"

#include <algorithm>
#include <tuple>

#include "core/group_index.h"
#include "views/chosen_events.h"
#include "views/ops/event_ops.h"
#include "views/ops/tensor_cores.h"
#include "views/place.h"

namespace tfprof {
namespace {

constexpr uint32_t kPollRows = 1 << 18;

// What tells two rows apart. Within a process, texts are ids of its columns and `name` is a label;
// in the answer they are ids of KernelRows::texts and a name of the store.
struct KernelKey {
  uint32_t host = 0;
  uint32_t name = 0;
  uint32_t op = 0;
  uint32_t grid = NameId::kNone;
  uint32_t block = NameId::kNone;
  int64_t registers = 0;
  int64_t shmem_bytes = 0;
  bool op_could = false;

  bool operator==(const KernelKey&) const = default;
  uint64_t Hash() const {
    const uint64_t a = (uint64_t{name} << 32 | op) ^ static_cast<uint64_t>(registers) << 17 ^
                       uint64_t { host } << 54;
    const uint64_t b = (uint64_t{grid} << 32 | block) ^ static_cast<uint64_t>(shmem_bytes) << 9;
    return MixHash(a ^ 0x9E3779B97F4A7C15u, b ^ (op_could ? 0x5A5Au : 0xA5A50000u));
  }
};

struct Sums {
  int64_t occurrences = 0;
  int64_t total_ps = 0;
  int64_t min_ps = kMaxPs;
  int64_t max_ps = 0;
  double occupancy_pct = 0;

  void Add(const Sums& other) {
    if (occurrences == 0) occupancy_pct = other.occupancy_pct;
    occurrences += other.occurrences;
    total_ps = SaturatingAdd(total_ps, other.total_ps);
    min_ps = std::min(min_ps, other.min_ps);
    max_ps = std::max(max_ps, other.max_ps);
  }
};

struct Groups {
  GroupIndex<KernelKey> index;
  std::vector<Sums> sums;

  void Add(const KernelKey& key, const Sums& sums_of) {
    const uint32_t group = index.Of(key);
    if (group == sums.size()) sums.emplace_back();
    sums[group].Add(sums_of);
  }
};

struct Launches {
  IndexPtr<DetailColumn> work, registers, shmem, grid, block, occupancy, equation;
  std::vector<uint8_t> is_product;  // by text of `equation`
};

Result<Launches> ReadLaunches(const Indexes& indexes, ProcessId process, Context& context) {
  Launches of;
  TFPROF_ASSIGN(of.work, indexes.Details(process, "work", context));
  TFPROF_ASSIGN(of.registers, indexes.Details(process, "registers", context));
  TFPROF_ASSIGN(of.shmem, indexes.Details(process, "shmem_bytes", context));
  TFPROF_ASSIGN(of.grid, indexes.Details(process, "grid", context));
  TFPROF_ASSIGN(of.block, indexes.Details(process, "block", context));
  TFPROF_ASSIGN(of.occupancy, indexes.Details(process, "occupancy_pct", context));
  TFPROF_ASSIGN(of.equation, indexes.Details(process, "equation", context));
  for (size_t i = 0; i < of.equation->texts.size(); ++i) {
    of.is_product.push_back(IsMatrixProduct(of.equation->texts[NameId(i)]));
  }
  return of;
}

int64_t NumberOr0(const DetailColumn& column, uint32_t row) {
  const int64_t number = column.rows.count == 0 ? kNoInt : column.Integer(row);
  return number == kNoInt ? 0 : number;
}

uint32_t TextOf(const DetailColumn& column, uint32_t row) {
  return column.rows.count == 0 ? NameId::kNone : column.TextId(row).value;
}

bool IsKernel(const Launches& of, const Store& store, uint32_t row) {
  constexpr auto kKernel = static_cast<int64_t>(WorkKind::kernel);
  return store.events.duration_ps[row] >= kPsPerNs && of.work->Integer(row) == kKernel;
}

KernelKey KeyOf(const Launches& of, const EventOps& ops, const Store& store, uint32_t row) {
  KernelKey key;
  key.name = store.events.label[row].value;
  key.op = ops.Of(row);
  key.grid = TextOf(*of.grid, row);
  key.block = TextOf(*of.block, row);
  key.registers = NumberOr0(*of.registers, row);
  key.shmem_bytes = NumberOr0(*of.shmem, row);
  const uint32_t equation = TextOf(*of.equation, row);
  key.op_could = equation != NameId::kNone && of.is_product[equation] != 0;
  return key;
}

Result<void> GroupLane(const Store& store, const Lane& lane, const Launches& of,
                       const EventOps& ops, const ChosenEvents& chosen, Groups* groups,
                       Context& context) {
  for (uint32_t i = 0; i < lane.rows.count; ++i) {
    if (i % kPollRows == 0) TFPROF_TRY(Poll(context));
    const uint32_t row = lane.rows.first + i;
    if (!IsKernel(of, store, row) || !chosen.Takes(row)) continue;
    const int64_t ps = store.events.duration_ps[row];
    double occupancy = of.occupancy->rows.count == 0 ? 0 : of.occupancy->Real(row);
    if (!(occupancy >= 0)) occupancy = 0;
    groups->Add(KeyOf(of, ops, store, row), {1, ps, ps, ps, occupancy});
  }
  return {};
}

// Adds the groups of a process to those of all.
void Merge(const Store& store, HostId host, const Launches& of, const EventOps& ops,
           const Groups& part, Groups* all, Names* texts) {
  const auto text = [&](const DetailColumn& column, uint32_t id) {
    return texts->Intern(id == NameId::kNone ? "1,1,1" : column.texts[NameId(id)]).value;
  };
  for (size_t i = 0; i < part.sums.size(); ++i) {
    KernelKey key = part.index.keys()[i];
    key.host = host.value;
    key.name = store.labels[key.name].name.value;
    key.grid = text(*of.grid, key.grid);
    key.block = text(*of.block, key.block);
    const std::string_view op = key.op == EventOps::kNone ? "" : ops.ops[key.op].op.name;
    const bool has_op = !op.empty();
    const std::string_view kernel = store.names[NameId(key.name)];
    key.op_could = has_op && (key.op_could || CouldUseTensorCores(op) || UsesTensorCores(kernel));
    key.op = texts->Intern(op).value;
    all->Add(key, part.sums[i]);
  }
}

Result<void> GroupProcess(const Store& store, const Indexes& indexes, ProcessId id,
                          const ChosenEvents& chosen, Groups* all, Names* texts, Context& context) {
  const Process& process = store.processes[id.value];
  TFPROF_ASSIGN(const Launches of, ReadLaunches(indexes, id, context));
  if (of.work->rows.count == 0) return {};
  TFPROF_ASSIGN(const EventOps ops, FindEventOps(store, indexes, id, context));
  Groups groups;
  for (uint32_t k = 0; k < process.lanes.count; ++k) {
    const Lane& lane = store.lanes[process.lanes.first + k];
    if (lane.derived) continue;
    TFPROF_TRY(GroupLane(store, lane, of, ops, chosen, &groups, context));
  }
  Merge(store, process.host, of, ops, groups, all, texts);
  return {};
}

KernelRow RowOf(const Store& store, const KernelKey& key, const Sums& sums, const Names& texts) {
  KernelRow row;
  if (HostId(key.host).some()) row.host = store.Text(store.hosts[key.host].name);
  row.name = store.names[NameId(key.name)];
  row.op_name = texts[NameId(key.op)];
  row.registers = key.registers;
  row.shmem_bytes = key.shmem_bytes;
  row.block = texts[NameId(key.block)];
  row.grid = texts[NameId(key.grid)];
  row.occupancy_pct = sums.occupancy_pct;
  row.uses_tensor_cores = UsesTensorCores(row.name);
  row.op_could = key.op_could;
  row.occurrences = sums.occurrences;
  row.total_ps = sums.total_ps;
  row.min_ps = sums.min_ps;
  row.max_ps = sums.max_ps;
  return row;
}

// Longest first; what is equally long by what tells rows apart.
bool StandsBefore(const KernelRow& a, const KernelRow& b) {
  if (a.total_ps != b.total_ps) return a.total_ps > b.total_ps;
  const auto rest = [](const KernelRow& r) {
    return std::tuple(r.host, r.name, r.grid, r.block, r.registers, r.shmem_bytes, r.op_could,
                      r.op_name);
  };
  return rest(a) < rest(b);
}

}  // namespace

Result<KernelRows> GroupKernels(const Store& store, const Indexes& indexes, const Query& query,
                                Context& context) {
  TFPROF_ASSIGN(const ChosenEvents chosen, ChooseEvents(indexes, query, context));
  KernelRows found;
  Groups all;
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (!process.device.some() || !InPlace(store, process, query)) continue;
    if (store.devices[process.device.value].kind != DeviceKind::gpu) continue;
    TFPROF_TRY(GroupProcess(store, indexes, ProcessId(i), chosen, &all, &found.texts, context));
  }
  for (size_t i = 0; i < all.sums.size(); ++i) {
    found.rows.push_back(RowOf(store, all.index.keys()[i], all.sums[i], found.texts));
    found.launches += all.sums[i].occurrences;
    found.total_ps = SaturatingAdd(found.total_ps, all.sums[i].total_ps);
  }
  std::sort(found.rows.begin(), found.rows.end(), StandsBefore);
  return found;
}

}  // namespace tfprof
