// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/ops/kernels/kernel_groups.h"
#include "analysis/ops/kernels/kernel_rows.h"
#include "analysis/ops/kernels/tensor_cores.h"
#include "core/store/note_catalogue.h"
#include "core/text/short_name.h"
#include "views/columns/fill_columns.h"
#include "views/columns/how_to_record.h"
#include "views/columns/percentiles.h"
#include "views/columns/properties.h"

namespace tfprof {
namespace {

constexpr ColumnDef kKernelsColumns[] = {
    IntegerDef("rank", "rank", Unit::none, "Rank by total time, from 1.").ForMachines(),
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("kernel", "full name", "Kernel name.").Was("kernel_name"),
    TextDef("short_kernel", "kernel",
            "Kernel name without return type, namespaces, parameters and most template arguments, "
            "but unlike that of any other kernel here."),
    TextDef("op", "operation", "Operation that launched it; empty if not recorded.").Was("op_name"),
    TextDef("launched_by", "launched by",
            "Call on the host that launched them; empty if not recorded. Only with -by launch."),
    CountDef("kernels", "kernels", "Different kernels. Only with -by op and -by launch."),
    CountDef("launches", "launches", "Launches.").Was("occurrences"),
    TimeDef("time_us", "total", "Sum over all launches.").Was("total_duration_us"),
    ShareDef("share_pct", "share", "Share of the time of all selected kernels.").Was("total_share"),
    RealDef("mean_us", "mean", Unit::us, "Total time divided by launches.").Was("avg_duration_us"),
    TimeDef("min_us", "min", "Shortest launch.").Was("min_duration_us").ForMachines(),
    MedianDef("Median launch."),
    P95Def("95th percentile of the launches."),
    TimeDef("max_us", "max", "Longest launch.").Was("max_duration_us").ForMachines(),
    TextDef("grid", "grid", "Grid size in blocks, x,y,z.").Was("grid_dim").Droppable(),
    TextDef("block", "block", "Block size in threads, x,y,z.").Was("block_dim").Droppable(),
    CountDef("registers", "registers", "Registers per thread.").ForMachines(),
    CountDef("registers_per_thread", "registers_per_thread", "As in xprof: 0 if not recorded.")
        .ForOriginal(),
    BytesDef("shared_bytes", "shared memory",
             "Shared memory per block, static and dynamic; absent where launches differ.")
        .Was("shared_memory")
        .ForMachines(),
    BytesDef("shmem_bytes", "shmem_bytes", "As in xprof: what CUDA reports, else 0.").ForOriginal(),
    RealDef("occupancy_pct", "occupancy %", Unit::percent,
            "Warps that can be resident, as a share of what a multiprocessor holds.")
        .Was("occupancy")
        .Droppable(),
    RealDef("original_occupancy_pct", "occupancy_pct", Unit::percent,
            "As in xprof: 0 if not recorded.")
        .Was("occupancy_pct")
        .ForOriginal(),
    BooleanDef("is_kernel_using_tensor_core", "is_kernel_using_tensor_core",
               "By kernel name, up to Ampere; absent likewise.")
        .ForOriginal()
        .Droppable(),
    BooleanDef("tensor_core_eligible", "TC eligible",
               "The operation can run on tensor cores (TC), or the kernel uses them; absent where "
               "tensor-core use cannot be inferred from kernel names.")
        .Was("is_op_tensor_core_eligible")
        .ForMachines()
        .Droppable(),
    BooleanDef("uses_tensor_cores", "tensor cores",
               "Tensor-core use, inferred from the kernel name (up to Blackwell); absent where the "
               "name does not show it, as for Triton kernels.")
        .Was("is_tensor_core_by_any_name")
        .Droppable(),
};
constexpr TableDef kKernelsTable{"kernels", "", kKernelsColumns};

// Copies texts into the report's pool.
struct Kept {
  TextPool& pool;
  std::string_view operator()(std::string_view text) const {
    return text.data() == nullptr ? text : pool.Keep(std::string(text));
  }
};

void AddTimes(const std::vector<KernelRow>& rows, std::span<const RowDuration> durations,
              int64_t total_ps, const Display& display, Table* table) {
  Fill(*table, "launches", rows, [](const KernelRow& r) { return r.occurrences; });
  Fill(*table, "time_us", rows, [](const KernelRow& r) { return r.total_ps; });
  Fill(*table, "share_pct", rows, [&](const KernelRow& r) {
    return static_cast<double>(r.total_ps) / static_cast<double>(total_ps);
  });
  Fill(*table, "mean_us", rows, [](const KernelRow& r) {
    return static_cast<double>(r.total_ps) / 1e6 / static_cast<double>(r.occurrences);
  });
  Fill(*table, "min_us", rows, [](const KernelRow& r) { return r.min_ps; });
  const auto number = [](const KernelRow& r) { return r.number; };
  AddPercentiles(DurationsOfRows(durations, rows, number), display, table);
  Fill(*table, "max_us", rows, [](const KernelRow& r) { return r.max_ps; });
}

// The names of kernels: in tables for readers either the short or the full ones.
void AddNames(const std::vector<KernelRow>& rows, const Display& display, const Kept& keep,
              Table* table) {
  std::vector<std::string_view> names;
  for (const KernelRow& row : rows) names.push_back(row.name);
  Fill(*table, "kernel", names, [](std::string_view name) { return name; }).spec.human_readable =
      display.full_names;
  if (!display.original_ids) {
    Fill(*table, "short_kernel", ShortNames(names), [&](const std::string& name) {
      return keep(name);
    }).spec.human_readable = !display.full_names;
  }
}

// True if some rows with the same kernel, operation and `but` differ in `in`: then readers need
// that column.
bool Distinguishes(const KernelRows& found, std::string_view KernelRow::*in,
                   std::string_view KernelRow::*but = nullptr) {
  using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
  std::map<Key, std::string_view> first;
  return std::any_of(found.rows.begin(), found.rows.end(), [&](const KernelRow& r) {
    const Key key{r.host, r.name, r.op_name, but == nullptr ? std::string_view() : r.*but};
    return first.try_emplace(key, r.*in).first->second != r.*in;
  });
}

// Adds registers, shared memory and occupancy. xprof has 0 for unknown values, and scripts compare
// them: its columns are separate from those for readers.
void AddSizes(const KernelRows& found, Table* table) {
  const auto or_zero = [](int64_t number) { return std::max<int64_t>(0, number); };
  Fill(*table, "registers", found.rows, [](const KernelRow& r) { return r.registers; });
  Fill(*table, "registers_per_thread", found.rows,
       [&](const KernelRow& r) { return or_zero(r.registers); });
  Fill(*table, "shared_bytes", found.rows, [](const KernelRow& r) { return r.shared_bytes; });
  Fill(*table, "shmem_bytes", found.rows,
       [&](const KernelRow& r) { return or_zero(r.shmem_bytes); });
  const auto is_recorded = [](const KernelRow& r) { return r.occupancy_pct > 0; };
  ReportColumn& occupancy =
      Fill(*table, "occupancy_pct", found.rows, [](const KernelRow& r) { return r.occupancy_pct; });
  occupancy.spec.human_readable = std::any_of(found.rows.begin(), found.rows.end(), is_recorded);
  Fill(*table, "original_occupancy_pct", found.rows,
       [&](const KernelRow& r) { return is_recorded(r) ? r.occupancy_pct : 0; });
}

void AddLaunch(const KernelRows& found, const Kept& keep, Table* table) {
  Fill(*table, "grid", found.rows, [&](const KernelRow& r) {
    return keep(r.grid);
  }).spec.droppable = !Distinguishes(found, &KernelRow::grid);
  Fill(*table, "block", found.rows, [&](const KernelRow& r) {
    return keep(r.block);
  }).spec.droppable = !Distinguishes(found, &KernelRow::block, &KernelRow::grid);
  AddSizes(found, table);
}

void AddTensorCores(const KernelRows& found, Table* table) {
  const auto add = [&](std::string_view id, bool KernelRow::*known, bool KernelRow::*is) {
    Fill(*table, id, found.rows,
         [&](const KernelRow& r) { return r.*known ? int64_t{r.*is} : kNoInt; });
  };
  add("is_kernel_using_tensor_core", &KernelRow::names_are_conclusive,
      &KernelRow::uses_tensor_cores);
  add("tensor_core_eligible", &KernelRow::names_are_conclusive, &KernelRow::op_could);
  add("uses_tensor_cores", &KernelRow::name_is_conclusive,
      &KernelRow::uses_tensor_cores_by_any_name);
}

Table StartTable(const std::vector<KernelRow>& rows, bool several_hosts) {
  Table table = MakeTable(kKernelsTable, rows.size());
  FillRank(&table);
  ReportColumn& host = AddColumn(table, "host");
  host.spec.human_readable = several_hosts;
  Fill(host, rows, [](const KernelRow& r) { return r.host; });
  return table;
}

Table KernelsTable(const KernelRows& found, const Display& display, bool several_hosts,
                   const Kept& keep) {
  Table table = StartTable(found.rows, several_hosts);
  AddNames(found.rows, display, keep, &table);
  Fill(table, "op", found.rows, [&](const KernelRow& r) { return keep(r.op_name); });
  AddTimes(found.rows, found.durations, found.total_ps, display, &table);
  AddLaunch(found, keep, &table);
  AddTensorCores(found, &table);
  return table;
}

// The table of -by.
Table GroupsTable(const KernelGroups& groups, int64_t total_ps, const Query& query,
                  bool several_hosts, const Kept& keep) {
  const std::vector<KernelRow>& rows = groups.rows;
  Table table = StartTable(rows, several_hosts);
  if (query.rows_by == RowsBy::name) {
    AddNames(rows, query.display, keep, &table);
  } else {
    Fill(table, "op", rows, [&](const KernelRow& r) { return keep(r.op_name); });
  }
  if (query.rows_by == RowsBy::launch) {
    Fill(table, "launched_by", rows, [](const KernelRow& r) { return r.launched_by; });
  }
  if (query.rows_by != RowsBy::name) {
    Fill(table, "kernels", rows, [](const KernelRow& r) { return r.kernels; });
  }
  AddTimes(rows, groups.durations, total_ps, query.display, &table);
  return table;
}

Result<Table> TableBy(const KernelRows& found, const KernelRows::Key& key, const Indexes& indexes,
                      const Query& query, const Kept& keep, Context& context) {
  const bool several_hosts = indexes.store()->hosts.size() > 1;
  switch (query.rows_by) {
    case RowsBy::each: return KernelsTable(found, query.display, several_hosts, keep);
    case RowsBy::name:
    case RowsBy::op:
      return GroupsTable(GroupKernels(found, query.rows_by), found.total_ps, query, several_hosts,
                         keep);
    default: break;
  }
  TFPROF_ASSIGN(const IndexPtr<KernelSites> sites, indexes.Get<KernelSites>(key, context));
  return GroupsTable(*sites, found.total_ps, query, several_hosts, keep);
}

}  // namespace

Result<Report> Kernels(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context) {
  const KernelRows::Key key{query.place, AccountingOf(query.display),
                            HasPercentiles(kKernelsTable, query.display)};
  TFPROF_ASSIGN(const IndexPtr<KernelRows> kept, indexes.Get<KernelRows>(key, context));
  const KernelRows& found = *kept;
  Report report = NewReport("kernels", store);
  if (found.rows.empty()) {
    TFPROF_TRY(AddHowToRecord(note::no_kernels, Kernels, indexes, query, context, &report));
  }
  if (query.rows_by == RowsBy::each) {
    NoteTensorCores(*store, query.place, &report.notes);
  }
  TFPROF_ASSIGN(Table table, TableBy(found, key, indexes, query, {*report.pool}, context));
  report.tables.push_back(std::move(table));
  const auto if_trace = [&](int64_t number) { return store->IsTrace() ? number : kNoInt; };
  AddIntegerProperty({"launches", "kernels", "launch"}, if_trace(found.launches), Unit::count,
                     &report);
  AddIntegerProperty({"total_time_us", "kernels", "time", "total_duration_us"},
                     if_trace(found.total_ps), Unit::ps_as_us, &report);
  return report;
}

TableDefs KernelsTables() { return {&kKernelsTable}; }

}  // namespace tfprof
