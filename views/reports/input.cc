// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "analysis/ops/input_ops.h"
#include "analysis/place.h"
#include "core/store/note_catalogue.h"
#include "views/advice/checker.h"
#include "views/advice/input_cause.h"
#include "views/columns/fill_columns.h"
#include "views/columns/percentiles.h"
#include "views/columns/properties.h"
#include "views/steps/answer.h"
#include "views/steps/charts.h"

namespace tfprof {
namespace {

constexpr ColumnDef kHostOpsColumns[] = {
    TextDef("op", "operation", "Name, as tf.data records it.").Was("opName"),
    TextDef("category", "category", "Stage of the input pipeline, by name."),
    CountDef("runs", "calls", "Executions.").Was("count"),
    IntegerDef("inclusive_us", "total", Unit::ps_as_ms, "Sum of durations.").Was("timeInMs"),
    MedianDef("Median call."),
    P95Def("95th percentile of the calls."),
    ShareDef("inclusive_pct", "total share", "Share of the self time of all input operations.")
        .Was("timeInPercent")
        .Droppable(),
    IntegerDef("time_us", "self", Unit::ps_as_ms,
               "Duration minus that of operations nested on the same thread.")
        .Was("selfTimeInMs"),
    ShareDef("share_pct", "self share", "Share of the self time of all input operations.")
        .Was("selfTimeInPercent")
        .Droppable(),
    IntegerDef("active_us", "exclusive", Unit::ps_as_ms,
               "Self time minus the time in which iterators on other threads work for it.")
        .Was("ownTimeInMs"),
};
constexpr TableDef kHostOpsTable{"host_ops", "input pipeline operations", kHostOpsColumns};

// Returns copies to the device / step time, unless an infeed has a more exact ratio.
double HandOverRatio(const StepAnswer& steps, const InputOps& ops) {
  if (!std::isnan(ops.infeed_ratio)) return ops.infeed_ratio;
  double copies_ps = 0, total_ps = 0;
  for (const CommonStep& common : steps.common) {
    const StepTime& step = steps.Slowest(common);
    copies_ps += static_cast<double>(At(step.class_ps, StepClass::host_to_device));
    total_ps += static_cast<double>(step.duration_ps);
  }
  return total_ps > 0 ? copies_ps / total_ps : 0;
}

bool HasWaiting(const InputOps& ops) {
  return std::ranges::any_of(ops.ops, [](const InputOp& op) { return op.OwnPs() != op.self_ps; });
}

Table HostOpsTable(const InputOps& ops, const Display& display) {
  Table table = MakeTable(kHostOpsTable, ops.ops.size());
  double all_self_ps = 0;
  for (const InputOp& op : ops.ops) all_self_ps += static_cast<double>(op.self_ps);
  Fill(table, "op", ops.ops, [](const InputOp& op) { return op.name; });
  Fill(table, "category", ops.ops, [](const InputOp& op) { return NameOf(op.kind); });
  Fill(table, "runs", ops.ops, [](const InputOp& op) { return op.count; });
  const auto times = [&](std::string_view id, std::string_view share_id, int64_t InputOp::*ps) {
    Fill(table, id, ops.ops, [&](const InputOp& op) { return op.*ps; });
    Fill(table, share_id, ops.ops,
         [&](const InputOp& op) { return static_cast<double>(op.*ps) / all_self_ps; });
  };
  times("inclusive_us", "inclusive_pct", &InputOp::total_ps);
  AddPercentiles(ops.durations, display, &table);
  times("time_us", "share_pct", &InputOp::self_ps);
  Fill(table, "active_us", ops.ops, [](const InputOp& op) {
    return op.OwnPs();
  }).spec.human_readable = HasWaiting(ops);
  return table;
}

void AddInputTimes(const InputTimes& times, Report* report) {
  constexpr std::pair<std::string_view, std::string_view> kNames[kInputKinds] = {
      {"enqueue_us", "enqueue"},
      {"demanded_file_read_us", "reads on demand"},
      {"advanced_file_read_us", "reads ahead"},
      {"preprocessing_us", "preprocessing"}};
  const auto add = [&](std::string_view id, std::string_view title, double us) {
    AddRealProperty({id, us > 0 ? "host input" : "", title}, us, Unit::us, report);
  };
  for (size_t i = 0; i < kInputKinds; ++i) add(kNames[i].first, kNames[i].second, times.us[i]);
  add("unclassified_nonequeue_us", "other", times.unclassified_us);
}

// Time classified as other may include waiting for input.
bool IsAboutInput(const Finding& finding) {
  constexpr FindingId kInputFindings[] = {
      FindingId::input_bound, FindingId::exposed_copies_in, FindingId::input_not_recorded,
      FindingId::step_time_without_device_work, FindingId::step_time_without_operations};
  return std::find(std::begin(kInputFindings), std::end(kInputFindings), finding.id) !=
         std::end(kInputFindings);
}

// True if -host and -device select the threads of a host.
bool HasThreads(const Store& store, const PlaceFilter& place) {
  return std::any_of(store.processes.begin(), store.processes.end(), [&](const Process& process) {
    return process.kind == ProcessKind::host && MatchesPlace(store, process, place);
  });
}

}  // namespace

Result<Report> InputView(const StorePtr& store, const Indexes& indexes, const Query& query,
                         Context& context) {
  TFPROF_ASSIGN(const StepAnswer steps, AnswerSteps(*store, indexes, query.place, context));
  TFPROF_ASSIGN(InputOps ops, FindInputOps(*store, indexes, query.place, context,
                                           HasPercentiles(kHostOpsTable, query.display)));
  TFPROF_TRY(AddOwnTimes(*store, indexes, query.place, &ops, context));
  Report report = NewReport("input", store);
  AddStepProperties(*store, steps, query.place, &report);
  AddStepCharts(ChartedSteps(*store, steps), true, &report);
  const bool is_trace = store->IsTrace();
  if (is_trace) AddInputTimes(DistributeInputTime(ops, HandOverRatio(steps, ops)), &report);
  if (!ops.ops.empty() && !HasThreads(*store, query.place)) {
    report.notes.push_back({note::input_of_all_devices, 1, "", kNoInt});
  }
  if (is_trace && ops.ops.empty()) {
    report.notes.push_back({note::no_input_operations, 1, "", kNoInt});
  }
  if (HasWaiting(ops)) {
    report.notes.push_back({note::self_time_has_waiting, 1, "", kNoInt});
  }
  report.tables.push_back(StepsTable(*store, steps, report.pool.get()));
  report.tables.push_back(HostOpsTable(ops, query.display));
  TFPROF_ASSIGN(const StepFacts facts, FactsOf(*store, indexes, query.place, steps, context));
  TFPROF_ASSIGN(auto findings, FindingsAt(store, facts));
  AgreeOnInput(findings, query, &report);
  std::erase_if(findings, [&](const Finding& finding) {
    return !IsAboutInput(finding) && !(ops.ops.empty() && MayBeInput(finding));
  });
  report.tables.push_back(FindingsTable(StepFindingsTableDef(), findings, report.pool.get()));
  return report;
}

TableDefs InputTables() { return {&kHostOpsTable, &StepsTableDef(), &StepFindingsTableDef()}; }

}  // namespace tfprof
