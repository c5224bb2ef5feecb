// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/steps/step_table.h"
#include "core/query/query.h"
#include "views/advice/finding.h"
#include "views/steps/answer.h"

namespace tfprof {

// Steps of a trace: all of them, or those of a query.
struct StepFacts {
  const Store& trace;
  const Indexes& indexes;
  PlaceFilter place;
  Context& context;
  StepAnswer steps;  // without those in which recording began and ended
  // With these; empty where a first step is no matter, as it is left out or was not chosen.
  std::vector<HostSteps> hosts;
};

// What an answer about `steps` is judged by.
StepFacts FactsOf(const Store& trace, const Indexes& indexes, const PlaceFilter& place,
                  const StepAnswer& steps, Context& context);

// The steps of a whole trace.
struct TraceSteps : StepFacts {
  IndexPtr<std::vector<std::vector<DeviceStep>>> planes;  // by host of `hosts`
  int64_t count = 0;                                      // of `hosts`, as the next
  int64_t mean_ps = kNoInt;                               // kNoInt: there is none
};

// What checkers look at. Steps without placed records are no steps here.
struct Checking {
  const StorePtr& store;
  const Indexes& indexes;
  const Indexes& recorded;  // of a trace: of itself, `store` being that of its nodes
  Context& context;
  const StepTables& tables;           // of step records
  std::vector<StepId> steps;          // that have a duration, by number
  int64_t mean_step_ps = kNoInt;      // of those, of a trace of its steps; kNoInt: there is none
  const TraceSteps* trace = nullptr;  // null: a profile, which has its steps in the store

  int64_t DurationOf(StepId step) const { return tables.steps[step.value].SpanPs(); }
  int64_t NumberOf(StepId step) const { return store->steps[step.value].number; }
};

// One question about a profile. Adds what it finds; finding nothing is no error.
using Check = Result<void>(const Checking& checking, std::vector<Finding>* findings);
// The same about steps of a trace; overview and input ask it, too.
using CheckOfSteps = Result<void>(const StepFacts& facts, std::vector<Finding>* findings);

struct Checker {
  std::string_view name;     // what -checker takes
  std::string_view summary;  // one line for help
  bool original = false;     // a name that the original knows
  Check* of_profile = nullptr;
  Check* of_trace = nullptr;  // with the nodes of a trace
  CheckOfSteps* of_steps = nullptr;

  bool JudgesTraces() const { return of_trace != nullptr || of_steps != nullptr; }
  bool JudgesProfiles() const { return of_profile != nullptr; }
};

// In the order of `help advise`; the original's four first.
std::span<const Checker> Checkers();

// Whether -checker names it; without -checker all are asked.
bool IsAsked(std::string_view checker, const Query& query);

// What all checkers find in these steps, as FindingsTable wants it. Errors: those of AskSteps.
Result<std::vector<Finding>> FindingsInSteps(const StepFacts& facts);

// One finding per cause: one that another finding explains goes, unless `query` names its checker.
// Severe ones first, costly ones first among equals; else in the order of the checkers.
void ArrangeFindings(const Query& query, std::vector<Finding>* findings);

// A row per finding.
Table FindingsTable(const TableDef& def, const std::vector<Finding>& findings, TextPool* pool);
// Of `advise`; and table `advice` of views that show the findings in their steps.
const TableDef& FindingsTableDef();
const TableDef& StepFindingsTableDef();

// The checkers. docs/checkers/NAME.md has what each reports, and when.
Check CheckAcceleratorUse, CheckAcceleratorUseOfTrace;
Check CheckExpensiveOperations;
Check CheckOperations;
Check CheckJob;
CheckOfSteps CheckInputIsRecorded;
Check CheckIdleDevices, CheckIdleDevicesOfTrace;
Check CheckPlacement;
Check CheckCopies;
CheckOfSteps CheckCopiesInSteps;
Check CheckFirstStep;
CheckOfSteps CheckFirstOfSteps;
Check CheckStepVariation, CheckStepVariationOfTrace;
Check CheckPeakMemory;
CheckOfSteps CheckInput;
CheckOfSteps CheckCollectives;
CheckOfSteps CheckStalls;
CheckOfSteps CheckOtherTime;
CheckOfSteps CheckStepGaps;
CheckOfSteps CheckPrecision;
Check CheckLateDevices;
CheckOfSteps CheckSlowHosts;

}  // namespace tfprof
