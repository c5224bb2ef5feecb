// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <tuple>

#include "analysis/categories/device_work.h"
#include "core/store/details.h"
#include "views/categories/tables.h"
#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

constexpr ColumnDef kKernelColumns[] = {
    category::kRank,
    category::kDevice,
    category::kKernel,
    IntegerDef("registers_per_thread", "registers", Unit::none, "Registers per thread.")
        .ForOriginal(),
    IntegerDef("shmem_bytes", "shared memory", Unit::bytes, "Shared memory per block.")
        .ForOriginal(),
    TextDef("block_dim", "block", "Threads per block.").ForOriginal(),
    TextDef("grid_dim", "grid", "Blocks.").ForOriginal(),
    RealDef("recorded_occupancy_pct", "occupancy", Unit::percent,
            "Estimated achieved occupancy, as recorded; absent where launches differ.")
        .Was("occupancy_pct")
        .ForOriginal(),
    TextDef("op_name", "operation", "Operation that the kernel is credited to.").ForOriginal(),
    category::kOccurrences,
    category::kTotal,
    category::kAverage,
    category::kMin,
    category::kMax,
};
constexpr TableDef kKernelTable{"by_device", "", kKernelColumns};

struct KernelKey {
  int64_t rank, device;
  NameId name;
  int64_t registers, shared_bytes;
  std::string block, grid;
  NameId op;

  auto Tie() const {
    return std::tie(rank, device, name, registers, shared_bytes, block, grid, op);
  }
  bool operator<(const KernelKey& other) const { return Tie() < other.Tie(); }
};

struct KernelGroup {
  KernelKey key;
  Durations times;
  double occupancy = kNoReal;
  bool same_occupancy = true;
};

class Rows {
 public:
  explicit Rows(const Store& store) : store_(store) {}

  Result<void> Add(std::span<const WorkEvent> kernels, Context& context) {
    constexpr DetailKey kKeys[] = {AttributeKey::registers, AttributeKey::shmem_bytes,
                                   AttributeKey::block, AttributeKey::grid,
                                   AttributeKey::occupancy_pct};
    std::vector<EventId> events;
    for (const WorkEvent& of : kernels) events.push_back(of.event);
    TFPROF_ASSIGN(const auto columns,
                  ReadColumns(store_, kernels[0].device, events, kKeys, context));
    const auto integer = [&](size_t key, uint32_t i) {
      return columns[key].rows.count > 0 ? columns[key].Integer(i) : kNoInt;
    };
    const auto text = [&](size_t key, uint32_t i) {
      return columns[key].rows.count > 0 ? std::string(columns[key].Text(i)) : std::string();
    };
    for (uint32_t i = 0; i < kernels.size(); ++i) {
      const WorkEvent& of = kernels[i];
      AddOne({RankOf(store_, of.source), DeviceNumber(store_, of.device),
              LabelOf(store_, of.event).name, integer(0, i), integer(1, i), text(2, i), text(3, i),
              of.op.some() ? LabelOf(store_, of.op).name : NameId()},
             of.event, columns[4].rows.count > 0 ? columns[4].Real(i) : kNoReal);
    }
    return {};
  }
  const std::vector<KernelGroup>& rows() const { return rows_; }

 private:
  void AddOne(KernelKey key, EventId event, double occupancy) {
    const auto [found, is_new] = row_of_.try_emplace(key, rows_.size());
    if (is_new) rows_.push_back({std::move(key), {}, occupancy});
    KernelGroup& row = rows_[found->second];
    row.times.Add(store_.events.duration_ps[event.value]);
    row.same_occupancy = row.same_occupancy && row.occupancy == occupancy;
  }

  const Store& store_;
  std::map<KernelKey, size_t> row_of_;
  std::vector<KernelGroup> rows_;
};

Table KernelTable(const Store& store, const std::vector<KernelGroup>& rows, TextPool& pool) {
  Table table = MakeTable(kKernelTable, rows.size());
  const auto add = [&](std::string_view id, auto cell) { Fill(table, id, rows, cell); };
  const auto keep = [&](const std::string& text) {
    return text.empty() ? std::string_view() : pool.Keep(text);
  };
  add("global_rank", [](const KernelGroup& r) { return r.key.rank; });
  add("device_number", [](const KernelGroup& r) { return r.key.device; });
  add("kernel_name", [&](const KernelGroup& r) { return store.Text(r.key.name); });
  add("registers_per_thread", [](const KernelGroup& r) { return r.key.registers; });
  add("shmem_bytes", [](const KernelGroup& r) { return r.key.shared_bytes; });
  add("block_dim", [&](const KernelGroup& r) { return keep(r.key.block); });
  add("grid_dim", [&](const KernelGroup& r) { return keep(r.key.grid); });
  add("recorded_occupancy_pct",
      [](const KernelGroup& r) { return r.same_occupancy ? r.occupancy : kNoReal; });
  add("op_name", [&](const KernelGroup& r) { return TextOrNull(store, r.key.op); });
  add("occurrences", [](const KernelGroup& r) { return r.times.count; });
  add("total_duration_us", [](const KernelGroup& r) { return r.times.total_ps; });
  add("avg_duration_us",
      [](const KernelGroup& r) { return AverageUs(r.times.total_ps, r.times.count); });
  add("min_duration_us", [](const KernelGroup& r) { return r.times.min_ps; });
  add("max_duration_us", [](const KernelGroup& r) { return r.times.max_ps; });
  return table;
}

}  // namespace

Result<void> AddKernelTable(const StorePtr& store, const Indexes& indexes, Context& context,
                            Report* report) {
  TFPROF_ASSIGN(const auto work, indexes.Get<LaunchedWork>(context));
  std::vector<WorkEvent> kernels;
  Rows rows(*store);
  const auto add = [&]() -> Result<void> {
    if (!kernels.empty()) TFPROF_TRY(rows.Add(kernels, context));
    kernels.clear();
    return {};
  };
  for (const WorkEvent& of : work->events) {
    if (LabelOf(*store, of.event).of != EventClass::kernel) continue;
    if (!kernels.empty() && kernels.back().device != of.device) TFPROF_TRY(add());
    kernels.push_back(of);
  }
  TFPROF_TRY(add());
  report->tables.push_back(KernelTable(*store, rows.rows(), *report->pool));
  return {};
}

}  // namespace tfprof
