// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/intervals/span_statistics.h"
#include "analysis/nodes/accounting.h"
#include "analysis/read_ahead.h"
#include "analysis/steps/gaps.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "core/base/sorting.h"
#include "core/store/note_catalogue.h"
#include "views/advice/checker.h"
#include "views/advice/classic.h"
#include "views/causes/symptoms.h"
#include "views/columns/measure_rows.h"

namespace tfprof {
namespace {

constexpr Checker kCheckers[] = {
    {"AcceleratorUtilizationChecker", "accelerators that are busy for a small part of a step", true,
     CheckAcceleratorUse, CheckAcceleratorUse},
    {"ExpensiveOperationChecker", "operation types and scopes with most of the time", true,
     CheckExpensiveOperations, CheckExpensiveOperations},
    {"OperationChecker", "operations that have a faster form: NHWC, unfused batch normalization",
     true, CheckOperations, CheckOperations},
    {"JobChecker", "what was not recorded: steps, coverage, shapes, streams, input", true, CheckJob,
     CheckJob, CheckInputIsRecorded},
    {"DeviceIdleChecker", "devices that are idle between operations", false, CheckIdleDevices,
     CheckIdleDevices},
    {"PlacementChecker", "CPU operations between operations of an accelerator", false,
     CheckPlacement},
    {"CopyChecker", "time of copies between host and devices", false, CheckCopies, nullptr,
     CheckCopiesInSteps},
    {"CollectiveChecker", "exposed communication: devices exchange data and compute nothing", false,
     nullptr, nullptr, CheckCollectives},
    {"StallChecker", "devices stalled on async copies and collectives", false, nullptr, nullptr,
     CheckStalls},
    {"OtherTimeChecker", "step time in which nothing recorded runs", false, nullptr, nullptr,
     CheckOtherTime},
    {"StepGapChecker", "time between steps", false, nullptr, nullptr, CheckStepGaps},
    {"StragglerChecker", "a device that others wait for, or a host with longer steps", false,
     nullptr, CheckLateDevices, CheckSlowHosts},
    {"FirstStepChecker", "a first step that is slower than the others", false, CheckFirstStep,
     nullptr, CheckFirstOfSteps},
    {"StepVariationChecker", "steps that vary in duration, and the operations that cause it", false,
     CheckStepVariation, CheckStepVariation},
    {"PeakMemoryChecker", "what holds most memory at the peak", false, CheckPeakMemory,
     CheckPeakMemory},
    {"InputBoundChecker", "steps that wait for input", false, nullptr, nullptr, CheckInput},
    {"ProgramCallChecker", "compiling, tracing, many or small programs, waits for each result",
     false, nullptr, nullptr, CheckProgramCalls},
    {"HostTimeChecker", "what the host does while devices are idle: Python, queues, locks, copies",
     false, nullptr, nullptr, CheckHostTime},
    {"LayoutChecker", "programs that transpose, convert and copy arrays", false, nullptr, nullptr,
     CheckLayout},
    {"GrowthChecker", "steps that take longer and longer, memory that grows in each step", false,
     nullptr, nullptr, CheckGrowth},
    {"PrecisionChecker", "products in float32 on GPUs whose tensor cores idle meanwhile", false,
     nullptr, nullptr, CheckPrecision},
};

// Where a host only starts programs, its markers last for as long as that: they do not show when
// the work of a step runs.
bool MarkersOnlyStart(const WallTimes& times) {
  return std::ranges::any_of(times.hosts, [](const HostWall& wall) {
    if (wall.has_devices || wall.steps.origin != StepOrigin::marked) return false;
    return LengthPs(wall.steps.steps) < wall.steps.WindowPs() / 2;
  });
}

bool IsNamed(const std::vector<std::string>& list, std::string_view checker) {
  return std::find(list.begin(), list.end(), checker) != list.end();
}

// Runs the checkers that the query requests.
Result<std::vector<Finding>> RunCheckers(const Checking& checking, const Query& query) {
  const StepFacts* trace = checking.trace;
  std::vector<Finding> findings;
  for (const Checker& checker : kCheckers) {
    if (!IsRequested(checker.name, query)) continue;
    Check* check = trace == nullptr ? checker.of_profile : checker.of_trace;
    if (check != nullptr) TFPROF_TRY(check(checking, &findings));
    if (trace != nullptr && checker.of_steps != nullptr) {
      TFPROF_TRY(checker.of_steps(*trace, &findings));
    }
  }
  if (trace != nullptr) {
    TFPROF_ASSIGN(const auto times, checking.of_recorded.Get<WallTimes>(checking.context));
    if (MarkersOnlyStart(*times)) {
      std::erase_if(findings, [](const Finding& finding) { return IsSymptom(finding.id); });
    }
  }
  ArrangeFindings(query, &findings);
  return findings;
}

Result<Report> AdviseOn(const Checking& checking, const Query& query) {
  const StepFacts* trace = checking.trace;
  TFPROF_ASSIGN(const auto accounts, checking.indexes.Get<NodeAccounts>(checking.context));
  TFPROF_ASSIGN(const std::vector<Finding> findings, RunCheckers(checking, query));
  Report report = StartReport("advise", checking.store, *accounts, query.place.OfPlaces());
  report.properties.clear();  // no step was selected
  if (trace != nullptr && trace->steps.overlap) {
    const auto& hosts = trace->steps.hosts;
    report.notes.push_back({OverlapNote(note::overlap_not_judged, hosts), 1, "", kNoInt});
  }
  report.tables.push_back(FindingsTable(FindingsTableDef(), findings, report.pool.get()));
  return report;
}

// Calls use(checking) with the facts that all checkers need.
template <class Use>
auto WithFacts(const StorePtr& store, const Indexes& indexes, Context& context, const Use& use)
    -> decltype(use(std::declval<const Checking&>())) {
  TFPROF_TRY(ReadFacts(*store, indexes, {}, context));
  TFPROF_ASSIGN(const auto nodes, NodesIfTrace(store, indexes, context));
  const StorePtr& judged = nodes == nullptr ? store : nodes->store;
  const Indexes& of_judged = nodes == nullptr ? indexes : *nodes->indexes;
  TFPROF_ASSIGN(const StepTables tables, StepTablesOf(*store, indexes, PlaceFilter::Exact(),
                                                      StepPlanes::with_idle, context));
  Checking checking{
      judged, of_judged, *store, indexes, context, tables, StatisticsOf(tables.steps)};
  if (nodes == nullptr) return use(checking);
  TFPROF_ASSIGN(StepAnswer steps, AnswerSteps(*store, indexes, PlaceFilter::Exact(), context));
  TFPROF_ASSIGN(StepFacts trace,
                FactsOf(*store, indexes, PlaceFilter::Exact(), std::move(steps), context));
  trace.rows = tables.steps;
  checking.trace = &trace;
  return use(checking);
}

// Fails if a checker that -checker or -fail-if names does not support what was recorded.
Result<void> CheckJudges(bool of_trace, const Query& query) {
  for (const std::vector<std::string>* names : {&query.advise.checkers, &query.fail_if}) {
    for (const Checker& checker : kCheckers) {
      if (!IsNamed(*names, checker.name)) continue;
      if (of_trace ? checker.ChecksTraces() : checker.ChecksProfiles()) continue;
      return Fail(ErrorKind::usage,
                  fmt::format("{} {}", checker.name,
                              of_trace ? "does not support traces" : "supports traces only"),
                  "", "docs/views/advise.md lists what each supports");
    }
  }
  return {};
}

}  // namespace

std::span<const Checker> Checkers() { return kCheckers; }

std::vector<ReportedFinding> FindingsOf(const Report& report) {
  std::vector<ReportedFinding> findings;
  if (report.tables.empty()) return findings;
  const Table& table = report.tables[0];
  const ReportColumn* checker = table.Find("checker");
  const ReportColumn* severity = table.Find("severity");
  const ReportColumn* what = table.Find("finding");
  if (checker == nullptr || severity == nullptr || what == nullptr) return findings;
  for (size_t row = 0; row < table.rows; ++row) {
    findings.push_back({checker->texts[row], severity->texts[row], what->texts[row]});
  }
  return findings;
}

Result<void> ReadFacts(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                       Context& context) {
  constexpr DetailKey kOfHosts[] = {AttributeKey::correlation,   AttributeKey::eager,
                                    AttributeKey::eager_op,      AttributeKey::instruction,
                                    AttributeKey::function_call, AttributeKey::group,
                                    AttributeKey::step_number,   AttributeKey::function_tracing,
                                    AttributeKey::model_flops,   AttributeKey::input_shapes,
                                    AttributeKey::input_values};
  constexpr DetailKey kOfDevices[] = {
      AttributeKey::annotation,  AttributeKey::correlation, AttributeKey::eager,
      AttributeKey::group,       AttributeKey::instruction, AttributeKey::launched,
      AttributeKey::model_flops, AttributeKey::module,      AttributeKey::op,
      AttributeKey::program,     AttributeKey::shape,       AttributeKey::work};
  return ReadAhead(store, indexes, place, {kOfHosts, kOfDevices}, context);
}

bool IsRequested(std::string_view checker, const Query& query) {
  return query.advise.checkers.empty() || IsNamed(query.advise.checkers, checker);
}

Result<StepFacts> FactsOf(const Store& trace, const Indexes& indexes, const PlaceFilter& place,
                          StepAnswer steps, Context& context) {
  if (place.SelectsSteps()) return StepFacts{trace, indexes, place, context, std::move(steps), {}};
  TFPROF_ASSIGN(const auto times, indexes.Get<WallTimes>(context));
  const std::vector<int64_t> warm_ups = times->WarmUpSteps(trace.hosts.size());
  std::vector<StepRow> rows = steps.is_whole ? std::vector<StepRow>() : RowsOf(steps.hosts);
  std::erase_if(steps.common, [&](const CommonStep& common) {
    for (size_t i = 0; i < steps.hosts.size(); ++i) {
      if (common.step[i] == CommonStep::kNotThere) continue;
      const HostSteps& host = steps.hosts[i];
      if (host.steps[common.step[i]].number == warm_ups[host.host.value]) return true;
    }
    return false;
  });
  return StepFacts{trace, indexes, place, context, std::move(steps), std::move(rows)};
}

Result<std::vector<Finding>> FindingsInSteps(const StepFacts& facts) {
  std::vector<Finding> findings;
  for (const Checker& checker : kCheckers) {
    if (checker.of_steps != nullptr) TFPROF_TRY(checker.of_steps(facts, &findings));
  }
  ArrangeFindings({}, &findings);
  return findings;
}

Result<std::vector<Finding>> FindingsAt(const StorePtr& store, const StepFacts& facts) {
  const bool limited = facts.place.FiltersPlaces() || facts.place.SelectsSteps();
  if (limited || !store->IsTrace()) return FindingsInSteps(facts);
  return AllFindings(store, facts.indexes, facts.context);
}

void ArrangeFindings(const Query& query, std::vector<Finding>* findings) {
  ExplainByCauses(findings);
  std::vector<FindingId> found;
  for (const Finding& finding : *findings) found.push_back(finding.id);
  std::erase_if(*findings, [&](const Finding& finding) {
    const std::string_view checker = TextOf(finding.id).checker;
    const bool named = IsNamed(query.advise.checkers, checker) || IsNamed(query.fail_if, checker);
    return std::any_of(finding.explained_by.begin(), finding.explained_by.end(), [&](FindingId by) {
      const bool other_checker = TextOf(by).checker != checker;
      return !(named && other_checker) && std::find(found.begin(), found.end(), by) != found.end();
    });
  });
  StableSort(*findings, [](const Finding& a, const Finding& b) {
    if (a.severity != b.severity) return a.severity < b.severity;
    return a.cost_ps > b.cost_ps;  // kNoInt is the smallest value
  });
}

// With AdviseOptions::original, returns the facts that the original's checkers print.
Result<Report> Advise(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context) {
  TFPROF_ASSIGN(const auto nodes, NodesIfTrace(store, indexes, context));
  TFPROF_TRY(CheckJudges(nodes != nullptr, query));
  if (query.advise.original) {
    const StorePtr& judged = nodes == nullptr ? store : nodes->store;
    return ClassicAdvice(judged, nodes == nullptr ? indexes : *nodes->indexes, query, context);
  }
  return WithFacts(store, indexes, context,
                   [&](const Checking& checking) { return AdviseOn(checking, query); });
}

Result<std::vector<Finding>> AllFindings(const StorePtr& store, const Indexes& indexes,
                                         Context& context) {
  return WithFacts(store, indexes, context,
                   [](const Checking& checking) { return RunCheckers(checking, Query()); });
}

TableDefs AdviseTables() { return {&FindingsTableDef()}; }

}  // namespace tfprof
