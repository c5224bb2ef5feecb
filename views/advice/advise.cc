// SPDX-License-Identifier: Apache-2.0
#include "views/advice/advise.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/intervals/span_statistics.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "core/report/table_def.h"
#include "views/advice/checker.h"
#include "views/advice/classic.h"
#include "views/advice/thresholds.h"
#include "views/columns/fill_columns.h"
#include "views/columns/measure_rows.h"

namespace tfprof {
namespace {

constexpr ColumnDef kFindingsColumns[] = {
    IntegerDef("rank", "#", Unit::none, "Its place.").ForMachines(),
    TextDef("severity", "severity", "high, medium, low, info."),
    TextDef("checker", "checker", "What found it."),
    IntegerDef("cost_us", "cost/step", Unit::ps,
               "What a step would be shorter at most if it were gone.")
        .Was("cost_ps"),
    TextDef("finding", "finding", "What stands out.").Below("finding"),
    TextDef("evidence", "evidence", "The numbers; the first is what the command prints.")
        .Below("evidence"),
    TextDef("cost_formula", "cost_formula", "How the cost is computed.").Below("cost"),
    TextDef("threshold", "told_from", "When its checker tells a finding.")
        .Was("told_from")
        .Below("told from"),
    TextDef("fix", "to_do", "What to do about it.").Was("to_do").Below("to do"),
    TextDef("command", "command", "A command that shows the first number.").Below("$"),
};
constexpr TableDef kFindingsTable{"findings", "", kFindingsColumns};

constexpr Checker kCheckers[] = {
    {"AcceleratorUtilizationChecker", "accelerators that are busy for a small part of a step",
     [] { return fmt::format("less than {:g} % of the time of the steps", kBusyEnough); },
     "give it more to do at once (larger batches, XLA, CUDA graphs) and its input earlier",
     CheckAcceleratorUse, CheckAcceleratorUseOfTrace, true},
    {"ExpensiveOperationChecker", "where the time goes: operation types, scopes, and what is odd",
     [] {
       return fmt::format("{:g} % of all time of a type, {:g} % of a scope", kTypeEnough,
                          kScopeEnough);
     },
     "ask `why` it costs that; fuse what is short and runs often", CheckExpensiveOperations,
     CheckExpensiveOperations, true,
     [] {
       return fmt::format(
           "{0:g} % of all time of a type, {1:g} % of a scope, which is {0:g} % of "
           "the time of the steps or more",
           kTypeEnough, kScopeEnough);
     }},
    {"OperationChecker", "operations that have a faster form: NHWC, unfused batch normalization",
     [] { return std::string("any that ran"); }, "take the faster form and measure again",
     CheckOperations, CheckOperations, true},
    {"JobChecker", "whether the profile says enough: steps, coverage, shapes, what is left out",
     [] {
       return fmt::format("fewer than two steps; less than {:g} % of the nodes ran, or have shapes",
                          kCovered);
     },
     "record what is missing: `info` tells how", CheckJob, CheckJob, true,
     [] { return std::string("fewer than two steps; of steps, nothing that tells input"); }},
    {"DeviceIdleChecker", "devices that stand still between operations",
     [] { return fmt::format("{:g} % of the time of the steps in which it runs", kIdleEnough); },
     "see in `timeline OUT.json` what hosts do in the gaps", CheckIdleDevices,
     CheckIdleDevicesOfTrace},
    {"PlacementChecker", "cpu operations between operations of an accelerator",
     [] { return std::string("any that ran"); },
     "place them on the accelerator, or outside of the step", CheckPlacement, nullptr},
    {"CopyChecker", "time of copies between host and devices",
     [] { return fmt::format("{:g} % of a step", kCopiesEnough); },
     "send less and earlier (smaller types, prefetch_to_device), read results every few steps",
     CheckCopies, CheckCopiesOfTrace},
    {"CollectiveChecker", "steps of a trace in which devices exchange data and compute nothing",
     [] { return fmt::format("{:g} % of the time of the steps", kSomeCollectives); },
     "exchange less (16 bit, every few steps), in fewer and larger pieces, and while they compute",
     nullptr, CheckCollectives},
    {"OtherTimeChecker", "steps of a trace in which nothing that was recorded runs",
     [] { return fmt::format("{:g} % of the time of the steps", kMuchOther); },
     "see in `timeline OUT.json` what the program does then: Python (python_tracer_level=1 records "
     "it), launches, waiting; with devices, give them more to do at once",
     nullptr, CheckOtherTime},
    {"StepGapChecker", "time between the steps of a trace",
     [] { return fmt::format("{:g} % of the time from the first step to the last", kSomeGaps); },
     "see in `timeline OUT.json` what the program does then: evaluation, checkpoints, summaries, "
     "waiting for input or for results",
     nullptr, CheckStepGaps},
    {"StragglerChecker", "a device that others of a trace wait for, or a host with longer steps",
     [] {
       return fmt::format(
           "{:g} % of the time of the steps that others wait; steps {:g} times those of the others",
           kStragglerEnough, kSlowestHost);
     },
     "find out what it does that the others do not: `pod` and `steps` tell by host and device; its "
     "input, another program there, its clock",
     nullptr, CheckStragglers},
    {"FirstStepChecker", "a first step that is slower than the others",
     [] { return fmt::format("{:g} times the median of the others", kSlowFirst); },
     "look at another step (-step), or begin to record some steps later", CheckFirstStep,
     CheckFirstStepOfTrace},
    {"StepVariationChecker", "steps that differ in duration, and by which operations",
     [] { return fmt::format("slowest - fastest step is {:g} % of the median", kVaries); },
     "compare the slowest step with another: -step N", CheckStepVariation,
     CheckStepVariationOfTrace},
    {"PeakMemoryChecker", "what holds most memory",
     [] { return std::string("any that was recorded"); },
     "smaller batches, 16 bit, or recomputing instead of keeping", CheckPeakMemory,
     CheckPeakMemory},
    {"InputBoundChecker", "steps of a trace that wait for input",
     [] { return fmt::format("{:g} % of the time of the steps", kSomeInput); },
     "make the pipeline faster or let it run ahead, as far as the device (prefetch_to_device): "
     "`input` and `tfdata` tell which part",
     nullptr, CheckInput},
};

Check* CheckOf(const Checker& checker, bool of_trace) {
  return of_trace ? checker.of_trace : checker.of_profile;
}

constexpr std::string_view kSeverities[] = {"high", "medium", "low", "info"};

Checking LookAt(const StorePtr& store, const Indexes& indexes, const Indexes& recorded,
                const LaneSteps& lanes, const TraceSteps* trace, Context& context) {
  Checking checking{store, indexes, recorded, context, lanes, {}, kNoInt, trace};
  for (size_t i = 0; i < lanes.steps.size(); ++i) {
    if (lanes.steps[i].start_ps != kNoTime) checking.steps.emplace_back(i);
  }
  checking.mean_step_ps = trace != nullptr ? trace->mean_ps : StatisticsOf(lanes.steps).mean_ps;
  return checking;
}

Result<TraceSteps> StepsOf(const Store& trace, const Indexes& indexes, Context& context) {
  TraceSteps found{trace, {}, {}, {}};
  TFPROF_ASSIGN(found.hosts, MeasureSteps(trace, indexes, {}, context));
  TFPROF_ASSIGN(found.planes, indexes.StepsOfPlanes(context));
  TFPROF_ASSIGN(found.whole, AskSteps(trace, indexes, {}, context));
  std::vector<StepSpan> all;
  for (const HostSteps& host : found.hosts) {
    for (const StepTime& step : host.steps) all.push_back({step.start_ps, step.EndPs()});
  }
  const SpanStatistics spans = StatisticsOf(all);
  found.count = spans.count;
  found.mean_ps = spans.mean_ps;
  return found;
}

// One cause is told once: what another finding tells as well goes, unless its checker was named.
void KeepOnePerCause(const Query& query, std::vector<Finding>* findings) {
  const auto names = [](const std::vector<std::string>& list, std::string_view checker) {
    return std::find(list.begin(), list.end(), checker) != list.end();
  };
  std::vector<std::string_view> told;
  for (const Finding& finding : *findings) told.push_back(finding.checker);
  std::erase_if(*findings, [&](const Finding& finding) {
    if (names(query.advise.checkers, finding.checker) || names(query.fail_if, finding.checker)) {
      return false;
    }
    return std::find(told.begin(), told.end(), finding.told_by) != told.end();
  });
}

// Severe ones first, costly ones first among equals; else in the order of the checkers.
void Order(std::vector<Finding>* findings) {
  std::stable_sort(findings->begin(), findings->end(), [](const Finding& a, const Finding& b) {
    if (a.severity != b.severity) return a.severity < b.severity;
    return a.cost_ps > b.cost_ps;  // kNoInt is the smallest
  });
}

std::string ToldFrom(const Checker& checker, bool of_trace) {
  return of_trace && checker.from_of_trace != nullptr ? checker.from_of_trace() : checker.from();
}

const Checker& CheckerOf(const Finding& finding) {
  return *std::find_if(std::begin(kCheckers), std::end(kCheckers),
                       [&](const Checker& checker) { return checker.name == finding.checker; });
}

void FillTable(const std::vector<Finding>& findings, bool of_trace, Report& report) {
  Table& table = report.tables.emplace_back(MakeTable(kFindingsTable, findings.size()));
  ReportColumn& rank = AddColumn(table, "rank");  // cards stand in that order
  for (size_t i = 0; i < findings.size(); ++i) rank.integers.push_back(static_cast<int64_t>(i) + 1);
  Fill(table, "severity", findings, [](const Finding& f) { return Told(f.severity); });
  Fill(table, "checker", findings, [](const Finding& f) { return f.checker; });
  Fill(table, "cost_us", findings, [](const Finding& f) { return f.cost_ps; });
  const auto texts = [&](std::string_view id, auto text_of) {
    Fill(table, id, findings,
         [&](const Finding& f) { return report.pool->Keep(std::string(text_of(f))); });
  };
  texts("finding", [](const Finding& f) { return f.what; });
  texts("evidence", [](const Finding& f) { return f.evidence; });
  texts("cost_formula", [](const Finding& f) { return f.formula; });
  texts("threshold", [&](const Finding& f) { return ToldFrom(CheckerOf(f), of_trace); });
  texts("fix", [](const Finding& f) {
    return std::string(f.to_do.empty() ? CheckerOf(f).to_do : f.to_do) + std::string(f.also);
  });
  texts("command", [](const Finding& f) { return f.command; });
}

constexpr std::string_view kNotJudged =
    "; InputBoundChecker, CopyChecker, CollectiveChecker, OtherTimeChecker and StragglerChecker do "
    "not judge them";

void NoteOverlap(const TraceSteps& trace, Report* report) {
  std::string note = SaidOfOverlap(trace.whole.hosts, true).append(kNotJudged);
  report->notes.push_back({std::move(note), 1, "", kNoInt});
}

// `trace`: null of a profile.
Result<Report> AdviseOn(const StorePtr& store, const Indexes& indexes, const Indexes& recorded,
                        const TraceSteps* trace, const Query& query, Context& context) {
  if (query.advise.original) return ClassicAdvice(store, indexes, query, context);
  TFPROF_ASSIGN(const auto accounts, indexes.Accounts(context));
  TFPROF_ASSIGN(const LaneSteps lanes, LaneStepsOf(*store, context));
  const Checking checking = LookAt(store, indexes, recorded, lanes, trace, context);
  std::vector<Finding> findings;
  for (const Checker& checker : kCheckers) {
    Check* check = CheckOf(checker, trace != nullptr);
    if (check == nullptr || !IsAsked(checker.name, query)) continue;
    const size_t before = findings.size();
    TFPROF_TRY(check(checking, &findings));
    for (size_t i = before; i < findings.size(); ++i) findings[i].checker = checker.name;
  }
  KeepOnePerCause(query, &findings);
  Order(&findings);
  Report report = StartReport("advise", store, *accounts, query.place);
  report.properties.clear();  // no step was asked for
  if (trace != nullptr && trace->whole.overlap) NoteOverlap(*trace, &report);
  FillTable(findings, trace != nullptr, report);
  return report;
}

// Whoever relies on a checker learns that it does not look at what was recorded.
Result<void> CheckJudges(bool of_trace, const Query& query) {
  for (const std::vector<std::string>* names : {&query.advise.checkers, &query.fail_if}) {
    for (const Checker& checker : kCheckers) {
      const bool named = std::find(names->begin(), names->end(), checker.name) != names->end();
      if (!named || CheckOf(checker, of_trace) != nullptr) continue;
      return Fail(ErrorKind::usage,
                  fmt::format("{} {}", checker.name,
                              of_trace ? "does not judge traces" : "judges traces only"),
                  "", "docs/views/advise.md tells what each judges");
    }
  }
  return {};
}

}  // namespace

std::string_view Told(Severity severity) { return kSeverities[static_cast<size_t>(severity)]; }

std::span<const std::string_view> SeverityNames() { return kSeverities; }

std::span<const Checker> Checkers() { return kCheckers; }

bool IsAsked(std::string_view checker, const Query& query) {
  const std::vector<std::string>& names = query.advise.checkers;
  return names.empty() || std::find(names.begin(), names.end(), checker) != names.end();
}

Result<Report> Advise(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context) {
  TFPROF_ASSIGN(const auto nodes, NodesIfTrace(store, indexes, context));
  TFPROF_TRY(CheckJudges(nodes != nullptr, query));
  if (nodes == nullptr) return AdviseOn(store, indexes, indexes, nullptr, query, context);
  TFPROF_ASSIGN(const TraceSteps steps, StepsOf(*store, indexes, context));
  return AdviseOn(nodes->store, *nodes->indexes, indexes, &steps, query, context);
}

TableDefs AdviseTables() {
  static constexpr const TableDef* kAll[] = {&kFindingsTable};
  return kAll;
}

}  // namespace tfprof
