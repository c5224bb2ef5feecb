// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/intervals/span_statistics.h"
#include "analysis/steps/step_table.h"
#include "analysis/wall/times.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "views/advice/finding.h"
#include "views/steps/answer.h"

namespace tfprof {

// Steps of a trace: all of them, or the selected ones.
struct StepFacts {
  const Store& trace;
  const Indexes& indexes;
  PlaceFilter place;
  Context& context;
  // Without the steps in which recording started and stopped, nor one that warms up, which wall
  // time excludes, unless they are selected.
  StepAnswer steps;
  // Includes those steps; empty if a first step does not matter, as it is left out or not selected.
  std::vector<StepRow> rows;
};

// Returns the facts that checkers need about `steps`. Errors: those of WallTimes.
Result<StepFacts> FactsOf(const Store& trace, const Indexes& indexes, const PlaceFilter& place,
                          StepAnswer steps, Context& context);

// The input of checkers. Steps without placed records do not count as steps.
struct Checking {
  const StorePtr& store;
  const Indexes& indexes;
  const Store& recorded;  // `store`; for a trace, the trace: `store` has its nodes
  const Indexes& of_recorded;
  Context& context;
  const StepTables& tables;          // of `recorded`
  SpanStatistics durations;          // of its steps
  const StepFacts* trace = nullptr;  // null: a profile

  const StepRow& StepOf(const DeviceStep& row) const { return tables.steps[row.step]; }
};

// Examines a profile and adds its findings. Finding nothing is not an error.
using Check = Result<void>(const Checking& checking, std::vector<Finding>* findings);
// Examines the steps of a trace; overview and input call it, too.
using CheckOfSteps = Result<void>(const StepFacts& facts, std::vector<Finding>* findings);

struct Checker {
  std::string_view name;     // its name in -checker
  std::string_view summary;  // one line for help
  bool original = false;     // the original has a checker of this name
  Check* of_profile = nullptr;
  Check* of_trace = nullptr;  // for the nodes of a trace
  CheckOfSteps* of_steps = nullptr;

  bool ChecksTraces() const { return of_trace != nullptr || of_steps != nullptr; }
  bool ChecksProfiles() const { return of_profile != nullptr; }
};

// In the order of `help advise`; the original's four come first.
std::span<const Checker> Checkers();

// True if -checker names it; without -checker, all run.
bool IsRequested(std::string_view checker, const Query& query);

// Reads the attributes of events that the checkers need, and the views that report their findings:
// one pass over the events instead of several. Errors: those of Indexes::Details.
Result<void> ReadFacts(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                       Context& context);

// Returns the findings of all checkers in these steps, as FindingsTable expects them. Errors: those
// of AnswerSteps.
Result<std::vector<Finding>> FindingsInSteps(const StepFacts& facts);

// Returns the findings that `advise` reports of the whole profile, in its order: those of all
// views. Errors: cancelled; those of the analyses.
Result<std::vector<Finding>> AllFindings(const StorePtr& store, const Indexes& indexes,
                                         Context& context);

// Returns the findings of a view that -host, -device and -step may limit: without them those of
// AllFindings, so that all views say the same.
Result<std::vector<Finding>> FindingsAt(const StorePtr& store, const StepFacts& facts);

// Keeps one finding per cause: removes findings that another finding explains, unless `query` names
// their checkers. Orders by severity, then by cost, descending; ties keep the order of the
// checkers.
void ArrangeFindings(const Query& query, std::vector<Finding>* findings);

// Makes a row per finding.
Table FindingsTable(const TableDef& def, const std::vector<Finding>& findings, TextPool* pool);
// FindingsTableDef: the table of `advise`. StepFindingsTableDef: the table `advice` of views that
// show findings in their steps.
const TableDef& FindingsTableDef();
const TableDef& StepFindingsTableDef();

// The checkers. docs/checkers/NAME.md documents what each reports, and when.
Check CheckAcceleratorUse;
Check CheckExpensiveOperations;
Check CheckOperations;
Check CheckJob;
CheckOfSteps CheckInputIsRecorded;
Check CheckIdleDevices;
Check CheckPlacement;
Check CheckCopies;
CheckOfSteps CheckCopiesInSteps;
Check CheckFirstStep;
CheckOfSteps CheckFirstOfSteps;
Check CheckStepVariation;
Check CheckPeakMemory;
CheckOfSteps CheckInput;
CheckOfSteps CheckCollectives;
CheckOfSteps CheckStalls;
CheckOfSteps CheckOtherTime;
CheckOfSteps CheckStepGaps;
CheckOfSteps CheckPrecision;
Check CheckLateDevices;
CheckOfSteps CheckSlowHosts;
CheckOfSteps CheckLateHosts;
CheckOfSteps CheckProgramCalls;
CheckOfSteps CheckHostTime;
CheckOfSteps CheckLayout;
CheckOfSteps CheckGrowth;

// A finding in an answer of Advise. Texts live as long as the report.
struct ReportedFinding {
  std::string_view checker, severity, what;
};
// Returns those of the first table, in its order; none if it has no findings.
std::vector<ReportedFinding> FindingsOf(const Report& report);

}  // namespace tfprof
