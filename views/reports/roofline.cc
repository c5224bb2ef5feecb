// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <functional>
#include <string>

#include "analysis/programs.h"
#include "core/base/arith.h"
#include "core/base/sorting.h"
#include "core/store/note_catalogue.h"
#include "views/columns/fill_columns.h"
#include "views/columns/how_to_record.h"
#include "views/columns/rates.h"

namespace tfprof {
namespace {

constexpr ColumnDef kRooflineColumns[] = {
    TextDef("kind", "kind", "total, program or operation.").Droppable(),
    TextDef("name", "name", "Name of the program or instruction."),
    TextDef("category", "category", "HLO category.").Droppable(),
    CountDef("runs", "runs", "Executions.").Was("occurrences").Droppable(),
    TimeDef("time_us", "self time", "Self time.").Was("total_self_time"),
    RealDef("flops_per_s", "FLOP/s", Unit::gflops_per_s, "Flops divided by time.")
        .Was("measured_flop_rate"),
    RealDef("bandwidth_bytes_per_s", "bandwidth", Unit::gbytes_per_s,
            "Bytes read and written, divided by time.")
        .Was("measured_memory_bw")
        .Droppable(),
    RealDef("intensity_flops_per_byte", "intensity", Unit::flops_per_byte,
            "Flops per byte accessed.")
        .Was("operational_intensity")
        .Droppable(),
    RealDef("roof_flops_per_s", "roof", Unit::gflops_per_s,
            "Attainable FLOP/s of the device at that intensity.")
        .Was("optimal_flop_rate"),
    TextDef("bound_by", "bound by",
            "Compute or HBM, whichever is closer to its peak; async if it is stalled on async "
            "work; absent if unknown or a link transfer."),
    ShareDef(
        "efficiency_pct", "efficiency",
        "Share of the closer peak; absent above 100%, where bytes or flops count that the unit "
        "did not move or do.")
        .Was("efficiency"),
};
constexpr TableDef kRooflineTable{"roofline", "of the roofline", kRooflineColumns};

constexpr ColumnDef kDevicesRooflineColumns[] = {
    TextDef("device", "device", "Device name."),
    TextDef("model", "model", "Device type."),
    RealDef("peak_flops_per_s", "peak FLOP/s", Unit::gflops_per_s,
            "Peak 16-bit FLOP/s, on matrix units.")
        .Was("peak_flop_rate"),
    RealDef("peak_vector_flops_per_s", "peak vector FLOP/s", Unit::gflops_per_s,
            "Peak FLOP/s of elementwise work.")
        .ForMachines(),
    RealDef("peak_bandwidth_bytes_per_s", "peak bandwidth", Unit::gbytes_per_s,
            "Peak memory bandwidth.")
        .Was("peak_memory_bw"),
    RealDef("ridge_flops_per_byte", "ridge", Unit::flops_per_byte,
            "Intensity above which compute is the limit.")
        .Was("ridge_point"),
};
constexpr TableDef kDevicesRooflineTable{"devices", "", kDevicesRooflineColumns};

constexpr std::string_view kOperation = "operation";

// A point of the roofline.
struct RooflinePoint {
  std::string_view kind;  // "total", "program", kOperation
  std::string name;
  std::string category;
  OpTime op;

  static OpTime Sum() {
    OpTime sum;
    sum.may_use_matrix_units = false;
    return sum;
  }
};

// Only operations of known cost that are bound by a peak of the device count. The cost of an
// operation includes nested operations, so only the innermost ones count.
void Add(const OpTime& op, RooflinePoint* sum) {
  if (!op.bytes.some() && !op.model_flops.some()) return;
  if (IsOverLinks(op)) return;
  if (op.self_ps < op.total_ps) return;
  sum->op.occurrences = SaturatingAdd(sum->op.occurrences, op.occurrences);
  sum->op.total_ps = SaturatingAdd(sum->op.total_ps, op.self_ps);
  sum->op.self_ps = SaturatingAdd(sum->op.self_ps, op.self_ps);
  sum->op.may_use_matrix_units |= op.may_use_matrix_units;
  sum->op.model_flops.Add(op.model_flops);
  sum->op.device_flops.Add(op.device_flops);
  sum->op.bytes.Add(op.bytes);
}

std::string ProgramName(const Store& store, uint64_t program_id) {
  const ModuleId module = FindModule(store, HostId(), program_id);
  if (!module.some()) return std::to_string(program_id);
  return std::string(store.Text(store.modules[module.value].name));
}

std::vector<RooflinePoint> PointsOf(const Store& store, std::vector<OpTime> ops) {
  const auto is_xla = [](const OpTime& op) { return op.xla != nullptr; };
  std::erase_if(ops, [&](const OpTime& op) { return !is_xla(op) && !op.model_flops.some(); });
  std::vector<RooflinePoint> points{
      {"total", "all operations with known cost", "", RooflinePoint::Sum()}};
  std::vector<OpTime> by_program = ops;
  std::erase_if(by_program, std::not_fn(is_xla));
  StableSort(by_program, [](const OpTime& a, const OpTime& b) {
    return a.xla->program_id < b.xla->program_id;
  });
  for (size_t i = 0; i < by_program.size(); ++i) {
    const bool is_first =
        i == 0 || by_program[i - 1].xla->program_id != by_program[i].xla->program_id;
    if (is_first) {
      points.push_back(
          {"program", ProgramName(store, by_program[i].xla->program_id), "", RooflinePoint::Sum()});
    }
    Add(by_program[i], &points.back());
    Add(by_program[i], &points.front());
  }
  for (const OpTime& op : ops) {
    if (!is_xla(op)) Add(op, &points.front());
  }
  std::erase_if(points, [](const RooflinePoint& p) { return p.op.occurrences == 0; });
  if (points.empty()) return points;
  std::stable_sort(
      points.begin() + 1, points.end(),
      [](const RooflinePoint& a, const RooflinePoint& b) { return a.op.self_ps > b.op.self_ps; });
  for (const OpTime& op : ops) {
    const std::string_view name = is_xla(op) ? op.xla->name : op.op().name;
    const std::string_view category = is_xla(op) ? op.xla->category : std::string_view();
    points.push_back({kOperation, std::string(name), std::string(category), op});
  }
  return points;
}

// Returns the attainable rate at that intensity: the roof.
double RoofOf(const DevicePeaks& peaks, const OpTime& op) {
  if (IsOverLinks(op)) return kNoReal;
  const double by_memory = IntensityOf(op) * peaks.memory_bytes_per_s;
  if (!(by_memory >= 0)) return kNoReal;
  const double by_compute = PeaksFor(peaks, op).flops_per_s;
  return by_compute == by_compute ? std::min(by_memory, by_compute) : by_memory;
}

Table PointsTable(const std::vector<RooflinePoint>& points, const DevicePeaks& peaks,
                  bool is_original, TextPool& pool) {
  Table table = MakeTable(kRooflineTable, points.size());
  Fill(table, "kind", points, [](const RooflinePoint& p) { return p.kind; });
  Fill(table, "name", points, [&](const RooflinePoint& p) { return pool.Keep(p.name); });
  Fill(table, "category", points, [&](const RooflinePoint& p) { return pool.Keep(p.category); });
  Fill(table, "runs", points, [](const RooflinePoint& p) { return p.op.occurrences; });
  Fill(table, "time_us", points, [](const RooflinePoint& p) { return p.op.self_ps; });
  const auto add = [&](std::string_view id, auto cell) { Fill(table, id, points, cell); };
  add("flops_per_s", [&](const RooflinePoint& p) {
    const KnownWork& flops = p.op.device_flops;
    return (is_original ? flops.PerSecond() : FlopRate(p.op, flops)) / 1e9;
  });
  add("bandwidth_bytes_per_s", [](const RooflinePoint& p) { return p.op.bytes.PerSecond() / 1e9; });
  add("intensity_flops_per_byte", [](const RooflinePoint& p) { return IntensityOf(p.op); });
  add("roof_flops_per_s", [&](const RooflinePoint& p) { return RoofOf(peaks, p.op) / 1e9; });
  Fill(table, "bound_by", points, [&](const RooflinePoint& p) { return BoundOf(peaks, p.op).by; });
  add("efficiency_pct", [&](const RooflinePoint& p) {
    const double share = BoundOf(peaks, p.op).share;
    return share <= 1 || is_original ? share : kNoReal;  // NoteBeyondPeaks gives the reason
  });
  return table;
}

Table DevicesTable(const Store& store, OpAccounting accounting,
                   const std::vector<const ProcessOps*>& devices) {
  Table table = MakeTable(kDevicesRooflineTable, devices.size());
  const auto device = [&](const ProcessOps* of) -> const Device& {
    return store.devices[store.processes[of->process.value].device.value];
  };
  const auto peaks = [&](const ProcessOps* of) {
    return accounting == OpAccounting::original ? RecordedPeaksOf(store, device(of))
                                                : PeaksOf(store, device(of));
  };
  Fill(table, "device", devices,
       [&](const ProcessOps* of) { return store.Text(store.processes[of->process.value].name); });
  Fill(table, "model", devices, [&](const ProcessOps* of) { return store.Text(device(of).model); });
  const auto add = [&](std::string_view id, auto cell) { Fill(table, id, devices, cell); };
  add("peak_flops_per_s", [&](const ProcessOps* of) { return peaks(of).flops_per_s / 1e9; });
  add("peak_vector_flops_per_s",
      [&](const ProcessOps* of) { return peaks(of).vector_flops_per_s / 1e9; });
  add("peak_bandwidth_bytes_per_s",
      [&](const ProcessOps* of) { return peaks(of).memory_bytes_per_s / 1e9; });
  add("ridge_flops_per_byte", [&](const ProcessOps* of) { return peaks(of).Ridge(); });
  return table;
}

// Adds notes, one per peak, on operations that exceed a peak, with the likely cause.
void NoteBeyondPeaks(const std::vector<RooflinePoint>& points, const DevicePeaks& peaks,
                     Report* report) {
  Note memory{note::above_peak_bandwidth, 0, "", kNoInt};
  Note compute{note::above_peak_flop_rate, 0, "", kNoInt};
  for (const RooflinePoint& point : points) {
    const Bound bound = BoundOf(peaks, point.op);
    if (point.kind != kOperation || !(bound.share > 1)) continue;
    ++(bound.by == kCompute ? compute : memory).count;
  }
  for (Note* note : {&memory, &compute}) {
    if (note->count > 0) report->notes.push_back(std::move(*note));
  }
}

}  // namespace

Result<Report> Roofline(const StorePtr& store, const Indexes& indexes, const Query& query,
                        Context& context) {
  const OpAccounting accounting = AccountingOf(query.display);
  TFPROF_ASSIGN(const auto times, OpsOf(*store, indexes, query.place, accounting, context));
  const auto devices = ChooseOps(*store, *times, query.place, true);
  Report report = NewReport("roofline", store);
  const DevicePeaks peaks = PeaksOfAny(*store, accounting, devices);
  std::vector<OpTime> ops = CombineProcesses(devices);
  NoteRates(peaks, ops, &report);
  NoteDeviceClock(devices, accounting, &report.notes);
  for (OpTime& op : ops) {
    if (op.is_async_done) op.model_flops = op.device_flops = {};
    if (op.is_async_done || IsBeyondMemory(peaks, op.bytes)) op.bytes = {};
  }
  const std::vector<RooflinePoint> points = PointsOf(*store, std::move(ops));
  NoteBeyondPeaks(points, peaks, &report);
  report.tables.push_back(
      PointsTable(points, peaks, accounting == OpAccounting::original, *report.pool));
  report.tables.push_back(DevicesTable(*store, accounting, devices));
  if (points.empty()) {
    TFPROF_TRY(AddHowToRecord(note::no_known_costs, Roofline, indexes, query, context, &report));
  }
  return report;
}

TableDefs RooflineTables() { return {&kRooflineTable, &kDevicesRooflineTable}; }

}  // namespace tfprof
