// SPDX-License-Identifier: Apache-2.0
#include "views/reports/op_stats.h"

#include <algorithm>

#include "analysis/contents.h"
#include "analysis/ops/tensor_cores.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "core/base/arith.h"
#include "views/columns/fill_columns.h"
#include "views/columns/how_to_record.h"
#include "views/columns/properties.h"
#include "views/columns/rate_columns.h"

namespace tfprof {
namespace {

constexpr std::string_view kHowToRecordOpStats =
    "no operations were recorded: record with host_tracer_level 2 (the default), and on a GPU or "
    "TPU with device_tracer_level 1";

constexpr std::string_view kOnlyInstructions =
    "what ran on hosts are instructions of programs that XLA compiled: hlo and op have them";

constexpr std::string_view kDevice = "device";

// Rows of devices or of hosts, the longest first, with their shares.
void AddSide(std::vector<FrameworkOp> ops, int64_t idle_ps, bool is_device,
             std::vector<StatsRow>* rows) {
  const size_t first = rows->size();
  for (FrameworkOp& op : ops) rows->push_back({is_device, false, op});
  if (idle_ps != kNoInt) {
    FrameworkOp idle{"IDLE", "IDLE"};
    idle.total_ps = idle.self_ps = idle_ps;
    const auto at = std::find_if(rows->begin() + static_cast<ptrdiff_t>(first), rows->end(),
                                 [&](const StatsRow& row) { return row.op.self_ps < idle_ps; });
    rows->insert(at, {is_device, true, idle});
  }
  double all = 0, sum = 0;
  for (size_t i = first; i < rows->size(); ++i) all += static_cast<double>((*rows)[i].op.self_ps);
  for (size_t i = first; i < rows->size() && all > 0; ++i) {
    StatsRow& row = (*rows)[i];
    sum += static_cast<double>(row.op.self_ps);
    row.share = static_cast<double>(row.op.self_ps) / all;
    row.cumulative = sum / all;
  }
}

void SetLimits(const DevicePeaks& peaks, std::vector<StatsRow>* rows) {
  for (StatsRow& row : *rows) {
    if (!row.is_device || row.is_idle) continue;
    row.told = ToldBound(peaks, row.op);
    row.bound = BoundOf(peaks, row.op);
    row.memory_rate = MemoryRate(peaks, row.op);
  }
}

void AddNames(const std::vector<StatsRow>& rows, TextPool& pool, Table* table) {
  ReportColumn& rank = Numbers(*table, "rank", "rank", Unit::none, "By self time, devices first.");
  rank.spec.people = false;
  for (size_t i = 0; i < rows.size(); ++i) rank.integers.push_back(static_cast<int64_t>(i + 1));
  table->blocks_by = "host_or_device";
  Texts(*table, table->blocks_by, "side", "Where it ran.", rows, [](const StatsRow& r) {
    return r.is_device ? "Device" : "Host";
  }).spec.folds = Folds::same;
  ReportColumn& type = Texts(*table, "type", "type", "Type of the operation; Unknown: none told.");
  type.spec.spare = true;
  type.spec.folds = Folds::same;
  FillTexts(type, rows, [&](const StatsRow& r) { return pool.Keep(std::string(r.op.type)); });
  Texts(*table, "operation", "operation",
        "Full name; where none was told, the instruction of the compiled program.", rows,
        [&](const StatsRow& r) { return pool.Keep(std::string(r.op.name)); })
      .spec.folds = Folds::names;
}

// Numbers in the names of operations tell layers; in those of instructions they tell which of them
// it is, as in hlo, whose rows do not fold.
void KeepInstructionsApart(const std::vector<StatsRow>& rows, Table* table) {
  ReportColumn& column = Numbers(*table, "instruction", "instruction", Unit::none,
                                 "Of a row for an instruction its number, else 0.");
  column.spec.shown = false;
  column.spec.folds = Folds::same;
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool is_instruction = rows[i].op.type == kUnknownType;
    column.integers.push_back(is_instruction ? static_cast<int64_t>(i + 1) : 0);
  }
}

void AddTimes(const std::vector<StatsRow>& rows, Table* table) {
  Numbers(*table, "executions", "runs", Unit::count,
          "How often it ran: in each program that has it as often as that of its kernels or "
          "instructions that ran most, added up.",
          rows, [](const StatsRow& r) { return r.op.executions; })
      .spec.folds = Folds::sum;
  ReportColumn& most = Numbers(
      *table, "occurrences", "most runs", Unit::count,
      "Of all its kernels or instructions, whatever program they are of, the runs of the one that "
      "ran most; so xprof has it, and averages divide by it.",
      rows, [](const StatsRow& r) { return r.op.occurrences; });
  most.spec.folds = Folds::sum;
  most.spec.people = false;
  const auto time = [&](std::string id, std::string title, bool people, std::string meaning,
                        auto cell) {
    ReportColumn& column =
        Numbers(*table, std::move(id), std::move(title), Unit::ps_as_us, std::move(meaning));
    column.spec.people = people;
    column.spec.folds = Folds::sum;
    FillNumbers(column, rows, cell);
  };
  const auto average = [&](std::string id, std::string title, std::string meaning, auto cell) {
    ReportColumn& column =
        Reals(*table, std::move(id), std::move(title), Unit::us, std::move(meaning));
    column.spec.people = false;
    column.spec.folds = Folds::mean;
    column.spec.weight = "occurrences";
    FillReals(column, rows, [&](const StatsRow& r) {
      if (r.op.occurrences == 0) return kNoReal;
      return static_cast<double>(cell(r)) / 1e6 / static_cast<double>(r.op.occurrences);
    });
  };
  const auto total = [](const StatsRow& r) { return r.op.total_ps; };
  const auto self = [](const StatsRow& r) { return r.op.self_ps; };
  time("total_time", "total", false,
       "Durations added up; of a TPU by its own clock (device_duration_ps), where that is told.",
       total);
  average("avg_time", "average", "Total over runs.", total);
  time("total_self_time", "self time", true, "Less what operations within took.", self);
  average("avg_self_time", "average self", "Self time over runs.", self);
  table->ordered_by = "total_self_time";
}

// Shares of one side; rows of the other have none.
void AddShares(const std::vector<StatsRow>& rows, Table* table) {
  ReportColumn& share = Reals(*table, "self_time_share", "share", Unit::fraction,
                              "Of the self times of its side, those of devices or of hosts; of "
                              "table with_idle with its idle time.");
  share.spec.folds = Folds::sum;
  FillReals(share, rows, [](const StatsRow& r) { return r.share; });
  for (const bool device : {true, false}) {
    const std::string side = device ? "device" : "host";
    const auto add = [&](std::string id, bool cumulative) {
      const std::string title = side + (cumulative ? " share so far" : " share");
      ReportColumn& column = Reals(*table, std::move(id), title, Unit::fraction,
                                   "Of the self times of the " + side + ", 0 to 1" +
                                       (cumulative ? ", with all rows before it." : "."));
      column.spec.people = false;
      if (!cumulative) column.spec.folds = Folds::sum;
      FillReals(column, rows, [&](const StatsRow& r) {
        return r.is_device != device ? kNoReal : cumulative ? r.cumulative : r.share;
      });
    };
    add(side + "_total_self_time_percent", false);
    add(device ? "device_cumulative_total_self_time_percent"
               : "Host_cumulative_total_self_time_percent",
        true);
  }
}

Table StatsTable(const char* name, const std::vector<StatsRow>& rows, TextPool& pool) {
  Table table;
  table.name = name;
  table.rows = rows.size();
  AddNames(rows, pool, &table);
  KeepInstructionsApart(rows, &table);
  AddTimes(rows, &table);
  AddShares(rows, &table);
  AddRateColumns(rows, &table);
  ReportColumn& eager =
      Texts(table, "eager", "eager", "Eager: run one by one; Function: as part of a graph.");
  eager.spec.people = false;
  FillTexts(eager, rows, [](const StatsRow& r) -> std::string_view {
    if (r.is_idle) return {};
    return r.op.is_eager ? "Eager" : "Function";
  });
  return table;
}

// Properties SIDE_idle_us and SIDE_idle_share: of the self times of the side with its idle time;
// and the work that names no operation, which is part of that. Where that is all that ran, nobody
// knows when a side did nothing for an operation.
void TellIdle(const std::string& side, const SideOps& of, Report* report) {
  const int64_t unattributed_ps = UnattributedOf(of.processes);
  const bool named = !of.ops.empty() || unattributed_ps == 0;
  const int64_t idle_ps = named ? IdleOf(of.processes) : kNoInt;
  double all_ps = static_cast<double>(idle_ps);
  for (const FrameworkOp& op : of.ops) all_ps += static_cast<double>(op.self_ps);
  const bool known = idle_ps != kNoInt && all_ps > 0;
  const std::string head = side + "s in no operation";
  TellInteger({side + "_idle_us", head}, idle_ps, Unit::ps_as_us, report);
  TellReal({side + "_idle_share", head}, known ? static_cast<double>(idle_ps) / all_ps : kNoReal,
           Unit::fraction, report);
  if (side != kDevice) return;
  Property& unattributed =
      TellInteger({"device_unattributed_us", head, "work that names none"},
                  of.processes.empty() ? kNoInt : unattributed_ps, Unit::ps_as_us, report);
  if (unattributed_ps == 0) unattributed.head.clear();
}

// Why there is no row. What XLA runs on hosts is of no framework operation.
Result<void> TellWhyNone(const StorePtr& store, const Indexes& indexes, const Query& query,
                         Context& context, Report* report) {
  TFPROF_ASSIGN(const auto nodes, NodesIfTrace(store, indexes, context));
  int64_t on_hosts = 0;
  if (nodes != nullptr) {
    const std::vector<Content> contents = ContentsOfTrace(*store, *nodes->store);
    on_hosts = CountOf(contents, "time") - CountOf(contents, "accelerator");
  }
  return TellHowToRecord(on_hosts > 0 ? kOnlyInstructions : kHowToRecordOpStats, OpStats, indexes,
                         query, context, report);
}

}  // namespace

Result<Report> OpStats(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context) {
  TFPROF_ASSIGN(const auto times, OpsOf(*store, indexes, query, context));
  const SideOps devices = OpsOfSide(*store, *times, query, true);
  const SideOps hosts = OpsOfSide(*store, *times, query, false);
  const DevicePeaks peaks = PeaksOfAny(*store, devices.processes);
  Report report;
  report.view = "op_stats";
  report.store = store;
  report.notes = store->notes;
  report.notes.insert(report.notes.end(), times->notes.begin(), times->notes.end());
  const int64_t device_idle_ps = IdleOf(devices.processes), host_idle_ps = IdleOf(hosts.processes);
  TellIdle(std::string(kDevice), devices, &report);
  TellIdle("host", hosts, &report);
  for (const bool with_idle : {true, false}) {
    std::vector<StatsRow> rows;
    AddSide(devices.ops, with_idle ? device_idle_ps : kNoInt, true, &rows);
    AddSide(hosts.ops, with_idle ? host_idle_ps : kNoInt, false, &rows);
    SetLimits(peaks, &rows);
    report.tables.push_back(
        StatsTable(with_idle ? "with_idle" : "without_idle", rows, *report.pool));
    report.tables.back().people = !with_idle;  // two more rows, which TellIdle tells
  }
  NoteRates(peaks, devices.ops, &report);
  NoteTensorCores(*store, query, &report.notes);
  NoteOwnClock(devices.processes, &report.notes);
  if (report.tables.back().rows == 0) {
    TFPROF_TRY(TellWhyNone(store, indexes, query, context, &report));
  }
  return report;
}

}  // namespace tfprof
