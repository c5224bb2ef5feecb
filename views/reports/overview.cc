// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "analysis/flops/device_type.h"
#include "analysis/ops/duty_cycle.h"
#include "analysis/ops/kernels/tensor_cores.h"
#include "analysis/ops/op_times.h"
#include "analysis/place.h"
#include "analysis/recorded_keys.h"
#include "analysis/steps/thresholds.h"
#include "core/base/arith.h"
#include "core/store/note_catalogue.h"
#include "views/advice/checker.h"
#include "views/advice/input_cause.h"
#include "views/columns/device_use.h"
#include "views/columns/fill_columns.h"
#include "views/columns/properties.h"
#include "views/columns/rates.h"
#include "views/explore/idle_lines.h"
#include "views/explore/wall_screen.h"
#include "views/steps/answer.h"
#include "views/steps/charts.h"
#include "views/steps/notes.h"

namespace tfprof {
namespace {

constexpr ColumnDef kTopOpsColumns[] = {
    TextDef("op", "operation", "Full name.").Was("operation"),
    TextDef("type", "type", "Operation type; Unknown if not recorded.").Was("category").Droppable(),
    ShareDef("share_pct", "self time", "Share of the self time of all device operations.")
        .Was("selfTimePercent"),
    ShareDef("cumulative_pct", "cum %", "Share of this row and all rows above it.")
        .Was("cumulativeTimePercent"),
    RealDef("flopRate", "flopRate", Unit::gflops_per_s,
            "Known model flops over total time, as in xprof.")
        .ForOriginal(),
    RealDef("flops_per_s", "FLOP/s", Unit::gflops_per_s,
            "Model flops over the time of the runs whose cost is known; absent for stalls.")
        .Was("flop_rate")
        .ForMachines(),
    ShareDef("stalled_pct", "stalled",
             "Share of its total time stalled on async copies, collectives and the like; only TPUs "
             "record it.")
        .Was("waiting_share"),
    BooleanDef("tensor_core_eligible", "TC eligible",
               "The operation can run on tensor cores (TC), by its name or its kernels; absent "
               "where it cannot be inferred.")
        .Was("tc_eligible"),
    BooleanDef(
        "uses_tensor_cores", "uses TC",
        "One of its kernels uses tensor cores, by kernel name; absent where it cannot be inferred.")
        .Was("uses_tc"),
    BooleanDef("tcEligibility", "tcEligibility",
               "As in xprof: eligibility by kernel names up to Ampere.")
        .ForOriginal(),
    BooleanDef("tcUtilization", "tcUtilization",
               "As in xprof: tensor-core use by kernel names up to Ampere.")
        .ForOriginal(),
};
constexpr TableDef kTopOpsTable{"top_ops", "top device operations by self time", kTopOpsColumns};

constexpr size_t kTopOps = 10;

struct OpSums {
  int64_t occurrences = 0;
  double self_ps = 0;
  double eager_ps = 0;

  double EagerPercent() const { return self_ps > 0 ? 100 * eager_ps / self_ps : 0; }
};

OpSums SumsOf(const SideOps& side) {
  OpSums sums;
  for (const FrameworkOp& op : side.ops) sums.occurrences += op.occurrences;
  for (const ProcessOps* process : side.processes) {
    for (const OpTime& op : process->ops) {
      sums.self_ps += static_cast<double>(op.self_ps);
      if (op.is_eager) sums.eager_ps += static_cast<double>(op.self_ps);
    }
  }
  return sums;
}

// The columns for readers also recognize newer kernel names.
void AddFlags(const std::vector<FrameworkOp>& ops, Table* table) {
  // A kernel with an unknown name may use tensor cores even if no other kernel does.
  const auto yes_no = [](const FrameworkOp& op, bool is) {
    const bool all_conclusive = op.conclusive_kernel_ps > 0 && op.inconclusive_kernel_ps == 0;
    return is ? 1 : all_conclusive ? 0 : kNoInt;
  };
  Fill(*table, "tensor_core_eligible", ops, [&](const FrameworkOp& op) {
    const bool could = op.conclusive_kernel_ps > 0 && CouldUseTensorCores(op.name);
    return yes_no(op, op.any_tensor_core_ps > 0 || could);
  });
  Fill(*table, "uses_tensor_cores", ops,
       [&](const FrameworkOp& op) { return yes_no(op, op.any_tensor_core_ps > 0); });
  Fill(*table, "tcEligibility", ops, [](const FrameworkOp& op) {
    return int64_t{op.tensor_core_ps > 0 || CouldUseTensorCores(op.name)};
  });
  Fill(*table, "tcUtilization", ops,
       [](const FrameworkOp& op) { return int64_t{op.tensor_core_ps > 0}; });
}

void AddWaiting(const std::vector<FrameworkOp>& ops, bool is_tpu, Table* table) {
  ReportColumn& waiting = AddColumn(*table, "stalled_pct");
  Fill(waiting, ops, [&](const FrameworkOp& op) {
    return is_tpu && op.total_ps > 0
               ? static_cast<double>(op.stalled_ps) / static_cast<double>(op.total_ps)
               : kNoReal;
  });
  waiting.spec.human_readable =
      std::any_of(ops.begin(), ops.end(), [](const FrameworkOp& op) { return op.stalled_ps > 0; });
}

Table TopOps(std::vector<FrameworkOp> ops, const Hardware& hardware, Report* report) {
  TextPool* const pool = report->pool.get();
  double all_ps = 0, sum_ps = 0;
  for (const FrameworkOp& op : ops) all_ps += static_cast<double>(op.self_ps);
  if (ops.size() > kTopOps) ops.resize(kTopOps);
  NoteFlopRates(ops, report);
  Table table = MakeTable(kTopOpsTable, ops.size());
  Fill(table, "op", ops, [&](const FrameworkOp& op) { return pool->Keep(std::string(op.name)); });
  Fill(table, "type", ops, [&](const FrameworkOp& op) {
    return pool->Keep(std::string(op.type));
  }).spec.human_readable = std::any_of(ops.begin(), ops.end(), [](const auto& op) {
    return op.type != op.name;
  });
  Fill(table, "share_pct", ops,
       [&](const FrameworkOp& op) { return static_cast<double>(op.self_ps) / all_ps; });
  Fill(table, "cumulative_pct", ops, [&](const FrameworkOp& op) {
    sum_ps += static_cast<double>(op.self_ps);
    return sum_ps / all_ps;
  });
  Fill(table, "flopRate", ops,
       [](const FrameworkOp& op) { return RecordedPerSecond(op, op.model_flops) / 1e9; });
  ReportColumn& rate = AddColumn(table, "flops_per_s");
  Fill(rate, ops, [](const FrameworkOp& op) { return ModelFlopRate(op) / 1e9; });
  rate.spec.human_readable = std::any_of(rate.reals.begin(), rate.reals.end(),
                                         [](double value) { return !std::isnan(value); });
  AddWaiting(ops, hardware.kind == DeviceKind::tpu, &table);
  if (hardware.is_nvidia) AddFlags(ops, &table);
  return table;
}

// A host that recorded nothing has no process, so without -host all hosts count.
int64_t SelectedHosts(const Store& store, const PlaceFilter& place) {
  if (place.host.empty()) return static_cast<int64_t>(store.hosts.size());
  std::vector<bool> selected(store.hosts.size(), false);
  for (const Process& process : store.processes) {
    if (MatchesPlace(store, process, place.OfHosts())) selected[process.host.value] = true;
  }
  return std::count(selected.begin(), selected.end(), true);
}

void AddOpShares(const OpSums& devices, const OpSums& hosts, bool has_device, Report* report) {
  const auto all = static_cast<double>(devices.occurrences + hosts.occurrences);
  const auto share = [&](const OpSums& of) {
    return all > 0 ? 100 * static_cast<double>(of.occurrences) / all : 0;
  };
  // Shown on the terminal only if informative: without devices all runs are on hosts; without runs
  // there is no percentage.
  const std::string_view of_both = has_device && all > 0 ? "op runs" : "";
  const std::string_view eager = devices.eager_ps + hosts.eager_ps > 0 ? "eager execution" : "";
  AddRealProperty({"host_tf_op_pct", of_both, "on hosts", "host_tf_op_percent"}, share(hosts),
                  Unit::percent, report);
  AddRealProperty({"device_tf_op_pct", of_both, "on devices", "device_tf_op_percent"},
                  share(devices), Unit::percent, report);
  AddRealProperty(
      {"host_op_time_eager_pct", eager, "of host op time", "host_op_time_eager_percent"},
      hosts.EagerPercent(), Unit::percent, report);
  AddRealProperty(
      {"device_op_time_eager_pct", eager, "of device op time", "device_op_time_eager_percent"},
      has_device ? devices.EagerPercent() : kNoReal, Unit::percent, report);
}

// True if work of a device has a recorded compute type; work of TPUs never has.
Result<bool> RecordsTypes(const Store& store, const PlaceFilter& place, Context& context) {
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (!process.device.some() || !MatchesPlace(store, process, place)) continue;
    if (store.devices[process.device.value].kind == DeviceKind::tpu) continue;
    TFPROF_ASSIGN(const bool is_recorded,
                  IsKeyRecorded(store, ProcessId(i), AttributeKey::shape, context));
    if (is_recorded) return true;
  }
  return false;
}

// Adds the shares of 16-bit and 32-bit work in the compute time of all steps, including steps that
// other figures drop. Untyped work counts as 32-bit, as in xprof; the terminal shows recorded types
// only.
void AddPrecision(const StepAnswer& steps, bool records_types, Report* report) {
  double bits_16 = 0, bits_32 = 0;
  for (const HostSteps& host : steps.hosts) {
    bits_16 += static_cast<double>(At(host.all_ps, StepClass::compute_16));
    bits_32 += static_cast<double>(At(host.all_ps, StepClass::compute_32));
  }
  const double all = bits_16 + bits_32;
  const auto share = [&](double of) { return all > 0 ? 100 * of / all : kNoReal; };
  const std::string_view head = records_types || bits_16 > 0 ? "computes in" : "";
  AddRealProperty({"device_compute_16bit_pct", head, "16 bit", "device_compute_16bit_percent"},
                  share(bits_16), Unit::percent, report);
  AddRealProperty({"device_compute_32bit_pct", head, "32 bit", "device_compute_32bit_percent"},
                  share(bits_32), Unit::percent, report);
}

void AddDutyCycle(const DutyCycle& duty, Report* report) {
  AddRealProperty({"device_duty_cycle_pct", "duty cycle", "", "device_duty_cycle_percent"},
                  duty.percent, Unit::percent, report);
  const bool has_stalls = duty.without_stalls_percent < duty.percent;
  AddRealProperty({"device_duty_cycle_without_waiting_pct", has_stalls ? "duty cycle" : "",
                   "without async stalls", "device_duty_cycle_without_waiting_percent"},
                  duty.without_stalls_percent, Unit::percent, report);
}

void AddCollectives(const StepAnswer& steps, Report* report) {
  const double share = SharesOf(steps).of(StepPart::collectives);
  if (std::isnan(share)) return;
  const bool much = share >= kHighCollectives, some = share >= kModerateCollectives;
  AddTextProperty({"device_collectives_bottleneck", "collectives"},
                  much   ? "high"
                  : some ? "moderate"
                         : "no",
                  report)
      .display_text = steps.overlap && some ? "unknown: steps overlap"
                      : much                ? "a bottleneck"
                      : some                ? "a moderate bottleneck"
                                            : "no bottleneck";
}

}  // namespace

Result<Report> Overview(const StorePtr& store, const Indexes& indexes, const Query& query,
                        Context& context) {
  TFPROF_TRY(ReadFacts(*store, indexes, query.place, context));
  TFPROF_ASSIGN(const StepAnswer steps, AnswerSteps(*store, indexes, query.place, context));
  const OpAccounting accounting = AccountingOf(query.display);
  TFPROF_ASSIGN(const auto times, OpsOf(*store, indexes, query.place, accounting, context));
  TFPROF_ASSIGN(const DutyCycle duty, DutyCycleOf(*store, indexes, query.place, context));
  const SideOps devices = OpsOfSide(*store, *times, query.place, true);
  const SideOps hosts = OpsOfSide(*store, *times, query.place, false);
  const Hardware hardware = HardwareOf(*store, query.place);
  Report report = NewReport("overview", store);
  const bool is_trace = store->IsTrace() && store->EventCount() > 0;
  if (is_trace) {
    AddTextProperty({"device_type", "ran on"}, hardware.type, &report);
    AddIntegerProperty({"device_core_count", hardware.devices > 0 ? "ran on" : "", "device"},
                       hardware.devices, Unit::count, &report);
    AddIntegerProperty({"active_device_count", hardware.active < hardware.devices ? "ran on" : "",
                        "active device"},
                       hardware.active, Unit::count, &report);
    AddIntegerProperty({"host_count", "ran on", "host"}, SelectedHosts(*store, query.place),
                       Unit::count, &report);
  }
  // The wall time is that of all steps and places.
  const bool of_all = !query.place.FiltersPlaces() && !query.place.SelectsSteps();
  if (is_trace && of_all && !query.display.original_ids) {
    TFPROF_TRY(AddWallTime(*store, indexes, WallForm::lines, context, &report));
  }
  std::vector<Table> wall = std::exchange(report.tables, {});
  AddStepProperties(*store, steps, query.place, &report);
  // Without devices all of the steps' parts are the host's: the wall time says what it does.
  if (!wall.empty() && hardware.devices == 0) HideStepShares(&report);
  AddStepCharts(ChartedSteps(*store, steps), true, &report);
  if (is_trace) {
    AddOpShares(SumsOf(devices), SumsOf(hosts), hardware.devices > 0, &report);
    TFPROF_ASSIGN(const bool records_types, RecordsTypes(*store, query.place, context));
    AddPrecision(steps, records_types, &report);
    AddDutyCycle(duty, &report);
    TFPROF_ASSIGN(const double mfu,
                  MfuOfDevices(*store, indexes, query.place, accounting, context));
    AddRealProperty({"mfu_pct", "MFU"}, 100 * mfu, Unit::percent, &report);
    AddCollectives(steps, &report);
  }
  if (hardware.devices > 0 && devices.ops.empty()) {
    report.notes.push_back({note::unnamed_device_work, 1, "", kNoInt});
  }
  NoteDeviceClock(devices.processes, accounting, &report.notes);
  report.tables.push_back(TopOps(devices.ops, hardware, &report));
  report.tables.back().human_readable = hardware.devices > 0;
  report.tables.push_back(StepsTable(*store, steps, report.pool.get()));
  TFPROF_ASSIGN(const StepFacts facts, FactsOf(*store, indexes, query.place, steps, context));
  TFPROF_ASSIGN(const auto findings,
                query.display.original_ids ? FindingsInSteps(facts) : FindingsAt(store, facts));
  AgreeOnInput(findings, query, &report);
  report.tables.push_back(FindingsTable(StepFindingsTableDef(), findings, report.pool.get()));
  std::ranges::move(wall, std::back_inserter(report.tables));
  return report;
}

TableDefs OverviewTables() {
  return {&kTopOpsTable, &StepsTableDef(), &StepFindingsTableDef(), &IdleTableDef(),
          &WallTableDef()};
}

}  // namespace tfprof
