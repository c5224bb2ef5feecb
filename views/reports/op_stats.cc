// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <map>

#include "analysis/contents.h"
#include "analysis/ops/kernels/tensor_cores.h"
#include "analysis/steps/device_idle.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "core/base/arith.h"
#include "core/store/note_catalogue.h"
#include "views/columns/device_use.h"
#include "views/columns/fill_columns.h"
#include "views/columns/how_to_record.h"
#include "views/columns/percentiles.h"
#include "views/columns/properties.h"
#include "views/columns/rate_columns.h"

namespace tfprof {
namespace {

constexpr ColumnDef kWithIdleColumns[] = {
    IntegerDef("rank", "rank", Unit::none, "Rank by self time, devices first.").ForMachines(),
    TextDef("side", "side", "Device or Host.").Was("host_or_device").Folded(Folds::same),
    TextDef("type", "type", "Operation type; Unknown if not recorded.")
        .Droppable()
        .Folded(Folds::same),
    TextDef("op", "operation", "Full name; if not recorded, the HLO instruction.")
        .Was("operation")
        .Folded(Folds::names),
    IntegerDef("instruction_number", "instruction_number", Unit::none,
               "Number of the HLO instruction, else 0.")
        .Folded(Folds::same),
    CountDef("runs", "runs",
             "Executions: those of its most frequent instruction in each program, summed over "
             "programs; outside of programs, those of its most frequent kernel.")
        .Was("executions")
        .Folded(Folds::sum),
    CountDef("occurrences", "max runs",
             "Executions of its most frequent kernel or instruction over all programs, as in "
             "xprof, which divides averages by it.")
        .ForOriginal()
        .Folded(Folds::sum),
    TimeDef("inclusive_us", "total", "Sum of durations.")
        .Was("total_time")
        .ForMachines()
        .Folded(Folds::sum),
    RealDef("inclusive_mean_us", "mean", Unit::us, "Total time divided by runs.")
        .Was("avg_time")
        .ForMachines()
        .Folded(Folds::mean, "occurrences"),
    TimeDef("time_us", "self time", "Total time minus that of nested operations.")
        .Was("total_self_time")
        .Folded(Folds::sum),
    RealDef("mean_us", "mean self", Unit::us, "Self time divided by runs.")
        .Was("avg_self_time")
        .ForMachines()
        .Folded(Folds::mean, "occurrences"),
    MedianDef("Median self time of single executions; absent where they cannot be separated."),
    P95Def("95th percentile of the self times of single executions; absent likewise."),
    ShareDef("share_pct", "share",
             "Share of the self time of its side (devices or hosts); in table with_idle, idle time "
             "included. Absent for what mostly waits for others.")
        .Was("self_time_share")
        .Folded(Folds::sum),
    ShareDef("device_total_self_time_percent", "device share",
             "Share of the device's self time, 0 to 1.")
        .ForOriginal()
        .Folded(Folds::sum),
    ShareDef("device_cumulative_total_self_time_percent", "device cum share",
             "Cumulative share of the device's self time, 0 to 1.")
        .ForOriginal(),
    ShareDef("host_total_self_time_percent", "host share", "Share of the host's self time, 0 to 1.")
        .ForOriginal()
        .Folded(Folds::sum),
    ShareDef("Host_cumulative_total_self_time_percent", "host cum share",
             "Cumulative share of the host's self time, 0 to 1.")
        .ForOriginal(),
    RealDef("measured_flop_rate", "measured_flop_rate", Unit::gflops_per_s,
            "Known flops over total time, normalized by precision, as in xprof.")
        .ForOriginal()
        .Folded(Folds::mean, "total_time"),
    RealDef("model_flop_rate", "model_flop_rate", Unit::gflops_per_s,
            "Known model flops over total time, as in xprof.")
        .ForOriginal()
        .Folded(Folds::mean, "total_time"),
    RealDef("measured_memory_bw", "measured_memory_bw", Unit::gbytes_per_s,
            "Known bytes over total time in GiB/s, as in xprof.")
        .ForOriginal()
        .Folded(Folds::mean, "total_time"),
    RealDef("intensity_flops_per_byte", "intensity", Unit::flops_per_byte,
            "Flops per byte accessed.")
        .Was("operational_intensity")
        .ForMachines(),
    TimeDef("known_flops_us", "FLOP/s over", "Part of the total time whose cost is known.")
        .Was("flop_rate_time")
        .Folded(Folds::sum),
    RealDef("flops_per_s", "FLOP/s", Unit::gflops_per_s,
            "Model flops over the time of the runs whose cost is known; absent for stalls.")
        .Was("flop_rate")
        .Folded(Folds::mean, "flop_rate_time"),
    TimeDef("known_bytes_us", "bandwidth over", "Part of the total time whose cost is known.")
        .Was("memory_rate_time")
        .Folded(Folds::sum),
    RealDef("bandwidth_bytes_per_s", "bandwidth", Unit::gbytes_per_s,
            "Bytes read and written over the time of the runs whose cost is known; absent for "
            "stalls and where no memory is accessed.")
        .Was("memory_rate")
        .Folded(Folds::mean, "memory_rate_time"),
    ShareDef("gpu_tensorcore_utilization", "gpu_tensorcore_utilization",
             "Share of kernel time on tensor cores, by kernel names up to Ampere; absent where it "
             "cannot be inferred.")
        .ForOriginal()
        .Droppable()
        .Folded(Folds::mean, "total_time"),
    ShareDef("tensor_core_pct", "tensor cores",
             "Share of kernel time on tensor cores, by kernel names up to Blackwell; absent where "
             "names show it for less than half of the time.")
        .Was("tensor_core_share")
        .Droppable()
        .Folded(Folds::mean, "total_time"),
    TextDef("original_bound_by", "bound_by", "Compute or HBM, as in xprof.")
        .Was("bound_by")
        .ForOriginal(),
    TextDef("bound_by", "bound by",
            "Compute or HBM, whichever is closer to its peak; async if it is stalled on async "
            "work; absent for link transfers.")
        .Was("limited_by")
        .Droppable(),
    TextDef("eager", "eager", "Eager: run one by one; Function: run as part of a graph.")
        .ForMachines(),
};
constexpr TableDef kWithIdleTable{"with_idle", "", kWithIdleColumns};
constexpr TableDef kWithoutIdleTable{"without_idle", "", kWithIdleColumns};

constexpr std::string_view kDevice = "device";

// Adds rows of devices or of hosts, by self time, descending, with their shares.
void AddSide(std::vector<FrameworkOp> ops, int64_t idle_ps, bool is_device, OpAccounting accounting,
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
  const auto has_share = [&](const StatsRow& row) {
    return accounting == OpAccounting::original || !IsStalled(row.op);
  };
  double all = 0, sum = 0;
  for (size_t i = first; i < rows->size(); ++i) {
    if (has_share((*rows)[i])) all += static_cast<double>((*rows)[i].op.self_ps);
  }
  for (size_t i = first; i < rows->size() && all > 0; ++i) {
    StatsRow& row = (*rows)[i];
    if (!has_share(row)) continue;
    sum += static_cast<double>(row.op.self_ps);
    row.share = static_cast<double>(row.op.self_ps) / all;
    row.cumulative = sum / all;
  }
}

void SetLimits(const DevicePeaks& peaks, std::vector<StatsRow>* rows) {
  for (StatsRow& row : *rows) {
    if (!row.is_device || row.is_idle) continue;
    row.recorded = RecordedBound(peaks, row.op);
    row.bound = BoundOf(peaks, row.op);
    row.memory_rate = MemoryRate(peaks, row.op);
  }
}

void AddNames(const std::vector<StatsRow>& rows, TextPool& pool, Table* table) {
  FillRank(table);
  table->blocks_by = "side";
  Fill(*table, table->blocks_by, rows,
       [](const StatsRow& r) { return r.is_device ? "Device" : "Host"; });
  Fill(*table, "type", rows, [&](const StatsRow& r) { return pool.Keep(std::string(r.op.type)); });
  Fill(*table, "op", rows, [&](const StatsRow& r) { return pool.Keep(std::string(r.op.name)); });
}

// Numbers in names of operations distinguish layers. In names of instructions they identify the
// instruction, as in hlo, whose rows do not fold.
void SplitByInstruction(const std::vector<StatsRow>& rows, Table* table) {
  ReportColumn& column = AddColumn(*table, "instruction_number");
  column.spec.shown = false;
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool is_instruction = rows[i].op.type == kUnknownType;
    column.integers.push_back(is_instruction ? static_cast<int64_t>(i + 1) : 0);
  }
}

void AddTimes(const std::vector<StatsRow>& rows, Table* table) {
  Fill(*table, "runs", rows, [](const StatsRow& r) { return r.op.executions; });
  Fill(*table, "occurrences", rows, [](const StatsRow& r) { return r.op.occurrences; });
  const auto time = [&](std::string_view id, std::string_view mean_id, int64_t FrameworkOp::*ps) {
    Fill(*table, id, rows, [&](const StatsRow& r) { return r.op.*ps; });
    Fill(*table, mean_id, rows, [&](const StatsRow& r) {
      if (r.op.occurrences == 0) return kNoReal;
      return static_cast<double>(r.op.*ps) / 1e6 / static_cast<double>(r.op.occurrences);
    });
  };
  time("inclusive_us", "inclusive_mean_us", &FrameworkOp::total_ps);
  time("time_us", "mean_us", &FrameworkOp::self_ps);
  table->ordered_by = "time_us";
}

// Adds shares of one side; rows of the other side have none.
void AddShares(const std::vector<StatsRow>& rows, Table* table) {
  Fill(*table, "share_pct", rows, [](const StatsRow& r) { return r.share; });
  const auto add = [&](std::string_view id, bool device, double StatsRow::*share) {
    Fill(*table, id, rows,
         [&](const StatsRow& r) { return r.is_device == device ? r.*share : kNoReal; });
  };
  add("device_total_self_time_percent", true, &StatsRow::share);
  add("device_cumulative_total_self_time_percent", true, &StatsRow::cumulative);
  add("host_total_self_time_percent", false, &StatsRow::share);
  add("Host_cumulative_total_self_time_percent", false, &StatsRow::cumulative);
}

// The operations of both sides.
using SidesOps = std::vector<const ProcessOps*>;

std::vector<RowDuration> DurationsOf(const SidesOps& processes, const std::vector<StatsRow>& rows) {
  std::map<std::pair<bool, FrameworkName>, uint32_t> row_of;
  for (uint32_t row = 0; row < rows.size(); ++row) {
    if (rows[row].is_idle) continue;
    row_of[{rows[row].is_device, {rows[row].op.name, rows[row].op.type}}] = row;
  }
  return ExecutionsOfOps(processes, [&](const ProcessOps& process, const OpTime& op) {
    const auto found = row_of.find({process.is_device, FrameworkNameOf(op)});
    return found == row_of.end() ? kNoRow : found->second;
  });
}

Table StatsTable(const TableDef& def, const std::vector<StatsRow>& rows, const SidesOps& processes,
                 const Display& display, TextPool& pool) {
  Table table = MakeTable(def, rows.size());
  AddNames(rows, pool, &table);
  SplitByInstruction(rows, &table);
  AddTimes(rows, &table);
  if (HasPercentiles(def, display)) AddPercentiles(DurationsOf(processes, rows), display, &table);
  AddShares(rows, &table);
  AddRateColumns(rows, &table);
  Fill(table, "eager", rows, [](const StatsRow& r) -> std::string_view {
    if (r.is_idle) return {};
    return r.op.is_eager ? "Eager" : "Function";
  });
  return table;
}

// Returns the sum over these devices. With -ids original, as in xprof, time outside operations is
// idle, and idle time counts only from a device's first to its last event.
Result<int64_t> IdleOfSide(const Store& store, const Indexes& indexes, const Query& query,
                           const SideOps& devices, Context& context) {
  if (query.display.original_ids) return IdleOf(devices.processes);
  TFPROF_ASSIGN(const auto idle, IdleOfDevices(store, indexes, query.place, context));
  int64_t sum_ps = kNoInt;
  for (const ProcessOps* process : devices.processes) {
    const int64_t idle_ps = idle[process->process.value].idle_ps;
    if (idle_ps != kNoInt) AddPresent(idle_ps, &sum_ps);
  }
  return sum_ps;
}

// Adds SIDE_idle_us and SIDE_idle_pct (share of the side's self times plus idle time), and the
// time of unattributed work. If all work is unattributed, idle time is unknown.
void AddIdleTime(const std::string& side, const SideOps& of, int64_t idle_ps, Report* report) {
  const int64_t unattributed_ps = UnattributedOf(of.processes);
  const bool named = !of.ops.empty() || unattributed_ps == 0;
  if (!named) idle_ps = kNoInt;
  double all_ps = static_cast<double>(idle_ps);
  for (const FrameworkOp& op : of.ops) all_ps += static_cast<double>(op.self_ps);
  const bool known = idle_ps != kNoInt && all_ps > 0;
  const std::string head = side == kDevice ? "devices idle" : side + "s idle";
  AddIntegerProperty({side + "_idle_us", head}, idle_ps, Unit::ps_as_us, report);
  AddRealProperty({side + "_idle_pct", head, "", side + "_idle_share"},
                  known ? static_cast<double>(idle_ps) / all_ps : kNoReal, Unit::fraction, report);
  if (side != kDevice) return;
  Property& unattributed =
      AddIntegerProperty({"device_unattributed_us", "unattributed kernels"},
                         of.processes.empty() ? kNoInt : unattributed_ps, Unit::ps_as_us, report);
  if (unattributed_ps == 0) unattributed.head.clear();
}

// Adds the reason why there are no rows. XLA work on hosts belongs to no framework operation.
Result<void> AddReasonForNone(const StorePtr& store, const Indexes& indexes, const Query& query,
                              Context& context, Report* report) {
  TFPROF_ASSIGN(const auto nodes, NodesIfTrace(store, indexes, context));
  int64_t on_hosts = 0;
  if (nodes != nullptr) {
    const std::vector<Content> contents = ContentsOfTrace(*store, *nodes->store);
    on_hosts = CountOf(contents, "time") - CountOf(contents, "accelerator");
  }
  return AddHowToRecord(on_hosts > 0 ? note::only_instructions : note::no_operations, OpStats,
                        indexes, query, context, report);
}

}  // namespace

Result<Report> OpStats(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context) {
  const OpAccounting accounting = AccountingOf(query.display);
  const bool executions = HasPercentiles(kWithoutIdleTable, query.display);
  TFPROF_ASSIGN(const auto times,
                OpsOf(*store, indexes, query.place, accounting, context, executions));
  const SideOps devices = OpsOfSide(*store, *times, query.place, true);
  const SideOps hosts = OpsOfSide(*store, *times, query.place, false);
  SidesOps processes = devices.processes;
  processes.insert(processes.end(), hosts.processes.begin(), hosts.processes.end());
  const DevicePeaks peaks = PeaksOfAny(*store, accounting, devices.processes);
  Report report = NewReport("op_stats", store);
  TFPROF_ASSIGN(const int64_t device_idle_ps, IdleOfSide(*store, indexes, query, devices, context));
  const int64_t host_idle_ps = IdleOf(hosts.processes);
  if (accounting == OpAccounting::exact) AddSummedDevices(devices.processes, &report);
  AddIdleTime(std::string(kDevice), devices, device_idle_ps, &report);
  AddIdleTime("host", hosts, host_idle_ps, &report);
  for (const bool with_idle : {true, false}) {
    std::vector<StatsRow> rows;
    AddSide(devices.ops, with_idle ? device_idle_ps : kNoInt, true, accounting, &rows);
    AddSide(hosts.ops, with_idle ? host_idle_ps : kNoInt, false, accounting, &rows);
    SetLimits(peaks, &rows);
    report.tables.push_back(StatsTable(with_idle ? kWithIdleTable : kWithoutIdleTable, rows,
                                       processes, query.display, *report.pool));
    report.tables.back().human_readable =
        !with_idle;  // only two more rows, whose values AddIdleTime reports
  }
  NoteRates(peaks, devices.ops, &report);
  NoteTensorCores(*store, query.place, &report.notes);
  NoteDeviceClock(devices.processes, accounting, &report.notes);
  if (report.tables.back().rows == 0) {
    TFPROF_TRY(AddReasonForNone(store, indexes, query, context, &report));
  }
  return report;
}

TableDefs OpStatsTables() { return {&kWithIdleTable, &kWithoutIdleTable}; }

}  // namespace tfprof
