// SPDX-License-Identifier: Apache-2.0
#include "views/reports/kernels.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/ops/kernel_rows.h"
#include "analysis/ops/tensor_cores.h"
#include "views/columns/fill_columns.h"
#include "views/columns/how_to_record.h"
#include "views/columns/properties.h"

namespace tfprof {
namespace {

constexpr std::string_view kHowToRecordKernels =
    "no kernels were recorded: only GPUs tell theirs, in traces with device_tracer_level 1 "
    "(the default)";

// Copies texts to where the report keeps them.
struct Kept {
  TextPool& pool;
  std::string_view operator()(std::string_view text) const {
    return text.data() == nullptr ? text : pool.Keep(std::string(text));
  }
};

ReportColumn& Booleans(Table& table, std::string id, std::string title, std::string meaning) {
  return AddColumn(table, std::move(id), std::move(title), CellType::boolean, std::move(meaning));
}

void AddTimes(const KernelRows& found, Table* table) {
  const auto add = [&](std::string id, std::string title, bool people, std::string meaning,
                       auto cell) {
    ReportColumn& column =
        Numbers(*table, std::move(id), std::move(title), Unit::ps_as_us, std::move(meaning));
    column.spec.people = people;
    FillNumbers(column, found.rows, cell);
  };
  Numbers(*table, "occurrences", "launches", Unit::count, "How often it was launched.", found.rows,
          [](const KernelRow& r) { return r.occurrences; });
  add("total_duration_us", "total", true, "Time of all launches.",
      [](const KernelRow& r) { return r.total_ps; });
  Reals(*table, "total_share", "share", Unit::fraction,
        "Of the time of all kernels that are shown.", found.rows, [&](const KernelRow& r) {
          return static_cast<double>(r.total_ps) / static_cast<double>(found.total_ps);
        });
  Reals(*table, "avg_duration_us", "average", Unit::us, "Total over launches.", found.rows,
        [](const KernelRow& r) {
          return static_cast<double>(r.total_ps) / 1e6 / static_cast<double>(r.occurrences);
        });
  add("min_duration_us", "least", false, "The shortest launch.",
      [](const KernelRow& r) { return r.min_ps; });
  add("max_duration_us", "most", false, "The longest launch.",
      [](const KernelRow& r) { return r.max_ps; });
}

// Whether some rows of one kernel and operation that are alike in `but` differ in `in`: then people
// cannot do without it.
bool TellsApart(const KernelRows& found, std::string_view KernelRow::*in,
                std::string_view KernelRow::*but = nullptr) {
  using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
  std::map<Key, std::string_view> first;
  return std::any_of(found.rows.begin(), found.rows.end(), [&](const KernelRow& r) {
    const Key key{r.host, r.name, r.op_name, but == nullptr ? std::string_view() : r.*but};
    return first.try_emplace(key, r.*in).first->second != r.*in;
  });
}

// Registers, shared memory and occupancy. xprof has 0 where they are not told, and scripts compare:
// those columns are beside the ones for people.
void AddSizes(const KernelRows& found, Table* table) {
  const auto number = [&](std::string id, std::string title, Unit unit, std::string meaning,
                          int64_t KernelRow::*member, bool or_zero) {
    ReportColumn& column =
        Numbers(*table, std::move(id), std::move(title), unit, std::move(meaning));
    column.spec.people = false;
    FillNumbers(column, found.rows, [&](const KernelRow& r) {
      return or_zero ? std::max<int64_t>(0, r.*member) : r.*member;
    });
  };
  number("registers", "registers", Unit::count, "Registers of a thread.", &KernelRow::registers,
         false);
  number("registers_per_thread", "registers_per_thread", Unit::count,
         "The same, 0 where that is not told; so xprof has it.", &KernelRow::registers, true);
  number("shared_memory", "shared memory", Unit::bytes,
         "Shared memory of a block, static and dynamic; absent where launches differ, too.",
         &KernelRow::shared_bytes, false);
  number("shmem_bytes", "shmem_bytes", Unit::bytes,
         "The same as far as CUDA tells it, else 0; so xprof has it.", &KernelRow::shmem_bytes,
         true);
  const auto is_told = [](const KernelRow& r) { return r.occupancy_pct > 0; };
  ReportColumn& occupancy = Reals(*table, "occupancy", "occupancy %", Unit::percent,
                                  "Warps that can be resident, of what a multiprocessor holds.",
                                  found.rows, [](const KernelRow& r) { return r.occupancy_pct; });
  occupancy.spec.spare = true;
  occupancy.spec.people = std::any_of(found.rows.begin(), found.rows.end(), is_told);
  Reals(*table, "occupancy_pct", "occupancy_pct", Unit::percent,
        "The same, 0 where that is not told; so xprof has it.", found.rows,
        [&](const KernelRow& r) { return is_told(r) ? r.occupancy_pct : 0; })
      .spec.people = false;
}

void AddLaunch(const KernelRows& found, const Kept& keep, Table* table) {
  Texts(*table, "grid_dim", "grid", "Blocks of the launch, x,y,z.", found.rows,
        [&](const KernelRow& r) { return keep(r.grid); })
      .spec.spare = !TellsApart(found, &KernelRow::grid);
  Texts(*table, "block_dim", "block", "Threads of a block, x,y,z.", found.rows,
        [&](const KernelRow& r) { return keep(r.block); })
      .spec.spare = !TellsApart(found, &KernelRow::block, &KernelRow::grid);
  AddSizes(found, table);
}

void AddTensorCores(const KernelRows& found, Table* table) {
  const auto add = [&](std::string id, std::string title, std::string meaning, auto cell) {
    ReportColumn& column = Booleans(*table, std::move(id), std::move(title), std::move(meaning));
    column.spec.people = false;
    column.spec.spare = true;
    FillNumbers(column, found.rows,
                [&](const KernelRow& r) { return r.names_tell ? int64_t{cell(r)} : kNoInt; });
  };
  add("is_kernel_using_tensor_core", "is_kernel_using_tensor_core",
      "The name is one of kernels for tensor cores, up to Ampere; absent likewise.",
      [](const KernelRow& r) { return r.uses_tensor_cores; });
  add("is_op_tensor_core_eligible", "TC eligible",
      "Its operation is one that tensor cores (TC) can do, or this kernel uses them; absent of "
      "GPUs whose kernels' names do not tell.",
      [](const KernelRow& r) { return r.op_could; });
  FillNumbers(Booleans(*table, "is_tensor_core_by_any_name", "tensor cores",
                       "Whether it uses tensor cores, by a name that tells, also of Hopper and "
                       "Blackwell; absent of other names, as those of Triton."),
              found.rows, [](const KernelRow& r) {
                return r.name_tells ? int64_t{r.uses_tensor_cores_by_any_name} : kNoInt;
              });
  table->columns.back().spec.spare = true;
}

Table KernelsTable(const KernelRows& found, bool several_hosts, const Kept& keep) {
  Table table;
  table.name = "kernels";
  table.rows = found.rows.size();
  ReportColumn& rank = Numbers(table, "rank", "rank", Unit::none, "By total time, from 1.");
  rank.spec.people = false;
  for (size_t i = 0; i < table.rows; ++i) rank.integers.push_back(static_cast<int64_t>(i + 1));
  ReportColumn& host = Texts(table, "host", "host", "The machine.");
  host.spec.people = several_hosts;
  FillTexts(host, found.rows, [](const KernelRow& r) { return r.host; });
  Texts(table, "kernel_name", "kernel", "As the library calls it.", found.rows,
        [](const KernelRow& r) { return r.name; });
  Texts(table, "op_name", "operation", "That launched it; empty: not told.", found.rows,
        [&](const KernelRow& r) { return keep(r.op_name); });
  AddTimes(found, &table);
  AddLaunch(found, keep, &table);
  AddTensorCores(found, &table);
  return table;
}

}  // namespace

Result<Report> Kernels(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context) {
  TFPROF_ASSIGN(const IndexPtr<KernelRows> kept, indexes.Kernels(query, context));
  const KernelRows& found = *kept;
  Report report;
  report.view = "kernels";
  report.store = store;
  report.notes = store->notes;
  if (found.rows.empty()) {
    TFPROF_TRY(TellHowToRecord(kHowToRecordKernels, Kernels, indexes, query, context, &report));
  }
  NoteTensorCores(*store, query, &report.notes);
  report.tables.push_back(KernelsTable(found, store->hosts.size() > 1, {*report.pool}));
  const auto told = [&](int64_t number) { return store->processes.empty() ? kNoInt : number; };
  TellInteger({"launches", "kernels", "launch"}, told(found.launches), Unit::count, &report);
  TellInteger({"total_duration_us", "kernels", "time"}, told(found.total_ps), Unit::ps_as_us,
              &report);
  return report;
}

}  // namespace tfprof
