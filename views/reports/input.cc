// SPDX-License-Identifier: Apache-2.0
#include "views/reports/input.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/ops/input_ops.h"
#include "analysis/place.h"
#include "views/columns/fill_columns.h"
#include "views/columns/properties.h"
#include "views/steps/advice.h"
#include "views/steps/answer.h"
#include "views/steps/host_work.h"
#include "views/steps/pictures.h"

namespace tfprof {
namespace {

// Copies to the device / step time, where no infeed tells more.
double HandOverRatio(const StepAnswer& steps, const InputOps& ops) {
  if (!std::isnan(ops.infeed_ratio)) return ops.infeed_ratio;
  double copies_ps = 0, whole_ps = 0;
  for (const CommonStep& common : steps.common) {
    const StepTime& step = steps.Slowest(common);
    copies_ps += static_cast<double>(At(step.class_ps, StepClass::host_to_device));
    whole_ps += static_cast<double>(step.duration_ps);
  }
  return whole_ps > 0 ? copies_ps / whole_ps : 0;
}

bool HasWaiting(const InputOps& ops) {
  return std::any_of(ops.ops.begin(), ops.ops.end(),
                     [](const InputOp& op) { return op.OwnPs() != op.self_ps; });
}

Table HostOpsTable(const InputOps& ops) {
  Table table;
  table.name = "host_ops";
  table.title = "operations that make input";
  table.rows = ops.ops.size();
  double all_self_ps = 0;
  for (const InputOp& op : ops.ops) all_self_ps += static_cast<double>(op.self_ps);
  Texts(table, "opName", "operation", "As tf.data names it.", ops.ops,
        [](const InputOp& op) { return op.name; });
  Texts(table, "category", "category", "What it does, by its name.", ops.ops,
        [](const InputOp& op) { return NameOf(op.kind); });
  Numbers(table, "count", "calls", Unit::count, "How often it ran.", ops.ops,
          [](const InputOp& op) { return op.count; });
  const auto times = [&](std::string id, std::string title, std::string meaning,
                         int64_t InputOp::*time_ps) {
    Numbers(table, id + "InMs", title, Unit::ps_as_ms, meaning, ops.ops,
            [&](const InputOp& op) { return op.*time_ps; });
    ReportColumn& share = AddColumn(table, id + "InPercent", title + " share", CellType::real,
                                    "Of the self times of all of them.");
    share.spec.unit = Unit::fraction;
    share.spec.spare = true;
    for (const InputOp& op : ops.ops) {
      share.reals.push_back(static_cast<double>(op.*time_ps) / all_self_ps);
    }
  };
  times("time", "total", "Durations added up.", &InputOp::total_ps);
  times("selfTime", "self", "Less that of operations within, on the same thread.",
        &InputOp::self_ps);
  Numbers(table, "ownTimeInMs", "own", Unit::ps_as_ms,
          "Self, less the time in which iterators on other threads work for it.", ops.ops,
          [](const InputOp& op) { return op.OwnPs(); })
      .spec.people = HasWaiting(ops);
  return table;
}

void TellInputTimes(const InputTimes& times, Report* report) {
  constexpr std::pair<std::string_view, std::string_view> kNames[kInputKinds] = {
      {"enqueue_us", "enqueue"},
      {"demanded_file_read_us", "reads on demand"},
      {"advanced_file_read_us", "reads ahead"},
      {"preprocessing_us", "preprocessing"}};
  const auto tell = [&](std::string_view id, std::string_view title, double us) {
    TellReal({id, us > 0 ? "host input" : "", title}, us, Unit::us, report);
  };
  for (size_t i = 0; i < kInputKinds; ++i) tell(kNames[i].first, kNames[i].second, times.us[i]);
  tell("unclassified_nonequeue_us", "other", times.unclassified_us);
}

// Whether -host and -device let the threads of a host through.
bool HasThreads(const Store& store, const Query& query) {
  return std::any_of(store.processes.begin(), store.processes.end(), [&](const Process& process) {
    return process.kind == ProcessKind::host && InPlace(store, process, query);
  });
}

}  // namespace

Result<Report> Input(const StorePtr& store, const Indexes& indexes, const Query& query,
                     Context& context) {
  TFPROF_ASSIGN(const StepAnswer steps, AskSteps(*store, indexes, query, context));
  TFPROF_ASSIGN(InputOps ops, FindInputOps(*store, indexes, query, context));
  TFPROF_TRY(AddOwnTimes(*store, indexes, query, &ops, context));
  if (WaitForInput(steps)) {
    TFPROF_ASSIGN(ops.of_costliest, FactsOfCostliest(*store, indexes, ops, query, context));
  }
  if (!steps.tells_input) {
    TFPROF_ASSIGN(const WorkInSteps work, HostWorkIn(*store, indexes, steps, context));
    ops.longest_work = work.Longest();
  }
  Report report;
  report.view = "input";
  report.store = store;
  report.notes = store->notes;
  TellSteps(*store, steps, query, &report);
  AddStepPictures(PicturedSteps(*store, steps), true, &report);
  const bool is_trace = !store->processes.empty();
  if (is_trace) TellInputTimes(ShareOut(ops, HandOverRatio(steps, ops)), &report);
  if (!ops.ops.empty() && !HasThreads(*store, query)) {
    report.notes.push_back(
        {"operations of hosts are told whatever -device picks: a host feeds all of its devices", 1,
         "", kNoInt});
  }
  if (is_trace && ops.ops.empty()) {
    report.notes.push_back(
        {"no operation of an input pipeline was recorded: tf.data tells them at "
         "host_tracer_level 2",
         1, "", kNoInt});
  }
  if (HasWaiting(ops)) {
    report.notes.push_back(
        {"self holds what an operation waits for other threads, as xprof has it; own does not hold "
         "the time in which their iterators work for it, nor does self of tfdata",
         1, "", kNoInt});
  }
  report.tables.push_back(StepsTable(*store, steps, report.pool.get()));
  report.tables.push_back(HostOpsTable(ops));
  report.tables.push_back(AdviceTable(InputAdvice(steps, ops), report.pool.get()));
  return report;
}

}  // namespace tfprof
