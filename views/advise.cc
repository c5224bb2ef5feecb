// SPDX-License-Identifier: Apache-2.0
#include "views/advise.h"

#include <algorithm>

#include "views/advise/checker.h"
#include "views/advise/classic.h"
#include "views/measure_rows.h"
#include "views/span_statistics.h"
#include "views/trace_nodes.h"

namespace tfprof {
namespace {

constexpr Checker kCheckers[] = {
    {"AcceleratorUtilizationChecker", "accelerators that compute for a small part of a step",
     CheckAcceleratorUse, true},
    {"ExpensiveOperationChecker", "where the time goes: operation types, scopes, and what is odd",
     CheckExpensiveOperations, true, true},
    {"OperationChecker", "operations that have a faster form: NHWC, unfused batch normalization",
     CheckOperations, true, true},
    {"JobChecker", "whether the profile says enough: steps, coverage, shapes, what is left out",
     CheckJob, true, true},
    {"DeviceIdleChecker", "devices that stand still between operations", CheckIdleDevices},
    {"PlacementChecker", "cpu operations between operations of an accelerator", CheckPlacement},
    {"CopyChecker", "time of copies between host and devices", CheckCopies},
    {"FirstStepChecker", "a first step that is slower than the others", CheckFirstStep},
    {"StepVariationChecker", "steps that differ in duration, and by which operations",
     CheckStepVariation},
    {"PeakMemoryChecker", "what holds most memory", CheckPeakMemory, false, true},
};

constexpr std::string_view kSeverities[] = {"high", "medium", "low", "info"};

Checking LookAt(const StorePtr& store, const Indexes& indexes, const Indexes& recorded,
                const LaneSteps& lanes, Context& context) {
  Checking checking{store, indexes, recorded, context, lanes, {}, kNoInt};
  for (size_t i = 0; i < lanes.steps.size(); ++i) {
    if (lanes.steps[i].start_ps != kNoTime) checking.steps.emplace_back(i);
  }
  checking.mean_step_ps = StatisticsOf(lanes.steps).mean_ps;
  return checking;
}

// Severe ones first, costly ones first among equals; else in the order of the checkers.
void Order(std::vector<Finding>* findings) {
  std::stable_sort(findings->begin(), findings->end(), [](const Finding& a, const Finding& b) {
    if (a.severity != b.severity) return a.severity < b.severity;
    return a.cost_ps > b.cost_ps;  // kNoInt is the smallest
  });
}

ReportColumn& AddTexts(Report& report, const std::vector<Finding>& findings, std::string id,
                       std::string meaning, std::string Finding::*text) {
  ReportColumn& column = AddColumn(report.tables[0], id, id, CellType::text, std::move(meaning));
  for (const Finding& finding : findings) {
    column.texts.push_back(report.pool->Keep(finding.*text));
  }
  return column;
}

void FillTable(const std::vector<Finding>& findings, Report& report) {
  Table& table = report.tables.emplace_back();
  table.name = "findings";
  table.rows = findings.size();
  ReportColumn& rank = AddColumn(table, "rank", "#", CellType::integer, "Its place.");
  rank.spec.people = false;  // cards stand in that order
  ReportColumn severity{.spec = {.id = "severity", .title = "severity", .type = CellType::text}};
  ReportColumn checker{.spec = {.id = "checker", .title = "checker", .type = CellType::text}};
  ReportColumn cost{.spec = {.id = "cost_ps", .title = "cost/step", .unit = Unit::ps}};
  severity.spec.meaning = "high, medium, low, info.";
  checker.spec.meaning = "What found it.";
  cost.spec.meaning = "What a step would be shorter at most if it were gone.";
  for (size_t i = 0; i < findings.size(); ++i) {
    rank.integers.push_back(static_cast<int64_t>(i) + 1);
    severity.texts.push_back(Told(findings[i].severity));
    checker.texts.push_back(findings[i].checker);
    cost.integers.push_back(findings[i].cost_ps);
  }
  for (ReportColumn* column : {&severity, &checker, &cost}) {
    table.columns.push_back(std::move(*column));
  }
  AddTexts(report, findings, "finding", "What stands out.", &Finding::what).spec.below = "finding";
  AddTexts(report, findings, "evidence", "The numbers; the first is what the command prints.",
           &Finding::evidence)
      .spec.below = "evidence";
  AddTexts(report, findings, "cost_formula", "How the cost is computed.", &Finding::formula)
      .spec.below = "cost";
  AddTexts(report, findings, "command", "A command that shows the first number.", &Finding::command)
      .spec.below = "$";
}

Result<Report> AdviseOn(const StorePtr& store, const Indexes& indexes, const Indexes& recorded,
                        const Query& query, Context& context) {
  if (query.original_advice) return ClassicAdvice(store, indexes, query, context);
  TFPROF_ASSIGN(const auto accounts, indexes.Accounts(context));
  TFPROF_ASSIGN(const LaneSteps lanes, LaneStepsOf(*store, context));
  const Checking checking = LookAt(store, indexes, recorded, lanes, context);
  std::vector<Finding> findings;
  for (const Checker& checker : kCheckers) {
    if (!IsAsked(checker.name, query)) continue;
    const size_t before = findings.size();
    TFPROF_TRY(checker.run(checking, &findings));
    for (size_t i = before; i < findings.size(); ++i) findings[i].checker = checker.name;
  }
  Order(&findings);
  Report report = StartReport("advise", store, *accounts, query);
  report.properties.clear();  // no step was asked for
  FillTable(findings, report);
  return report;
}

// Whoever relies on a checker learns that it does not look at traces.
Result<void> CheckOfTraces(const Query& query) {
  for (const std::vector<std::string>* names : {&query.checkers, &query.fail_if}) {
    for (const Checker& checker : kCheckers) {
      const bool named = std::find(names->begin(), names->end(), checker.name) != names->end();
      if (!named || checker.of_traces) continue;
      return Fail(ErrorKind::usage, std::string(checker.name) + " does not judge traces", "",
                  "overview, steps, pod and input tell how their steps and devices did");
    }
  }
  return {};
}

std::string NotOfTraces() {
  std::string names;
  for (const Checker& checker : kCheckers) {
    if (!checker.of_traces) names.append(names.empty() ? "" : ", ").append(checker.name);
  }
  return "traces are not judged by " + names + ": overview, steps, pod and input advise on them";
}

}  // namespace

std::string_view Told(Severity severity) { return kSeverities[static_cast<size_t>(severity)]; }

std::span<const std::string_view> SeverityNames() { return kSeverities; }

std::span<const Checker> Checkers() { return kCheckers; }

bool IsAsked(std::string_view checker, const Query& query) {
  const std::vector<std::string>& names = query.checkers;
  return names.empty() || std::find(names.begin(), names.end(), checker) != names.end();
}

Result<Report> Advise(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context) {
  TFPROF_ASSIGN(const auto nodes, NodesIfTrace(store, indexes, context));
  if (nodes == nullptr) return AdviseOn(store, indexes, indexes, query, context);
  TFPROF_TRY(CheckOfTraces(query));
  TFPROF_ASSIGN(Report report, AdviseOn(nodes->store, *nodes->indexes, indexes, query, context));
  report.notes.push_back({NotOfTraces(), 1, "", kNoInt});
  return report;
}

}  // namespace tfprof
