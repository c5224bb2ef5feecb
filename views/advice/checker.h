// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/steps/lane_steps.h"
#include "analysis/steps/trace_steps.h"
#include "core/query/query.h"
#include "views/steps/answer.h"

namespace tfprof {

enum class Severity : uint8_t { high, medium, low, info };
std::string_view Told(Severity severity);
// high, medium, low, info: by Severity.
std::span<const std::string_view> SeverityNames();

// One thing that stands out.
struct Finding {
  Severity severity = Severity::info;
  std::string what;      // one sentence
  std::string evidence;  // begins with the number that `command` prints, as tables write it
  // What a step would be shorter at most if it were gone, and how that is computed; kNoInt and
  // empty where nothing can be said.
  int64_t cost_ps = kNoInt;
  std::string formula;
  std::string command;          // of tfprof, on the same profile
  std::string_view to_do = {};  // where that is another than what its checker advises
  std::string_view also = {};   // to do, where that is possible with this profile
  // Of a checker whose finding, where it has one, is about the same time: then that one is enough.
  std::string_view told_by = {};
  std::string_view checker = {};  // filled in by whoever runs the checker
};

// The steps of a trace, of all its hosts.
struct TraceSteps {
  const Store& trace;
  std::vector<HostSteps> hosts;
  IndexPtr<std::vector<std::vector<PlaneStep>>> planes;  // by host of `hosts`
  StepAnswer whole;          // those of all hosts in which nobody began or ended to record
  int64_t count = 0;         // of `hosts`, as the next
  int64_t mean_ps = kNoInt;  // kNoInt: there is none
};

// What checkers look at. Steps without placed records are no steps here.
struct Checking {
  const StorePtr& store;
  const Indexes& indexes;
  const Indexes& recorded;  // of a trace: of itself, `store` being that of its nodes
  Context& context;
  const LaneSteps& lanes;
  std::vector<StepId> steps;          // that have a duration, by number
  int64_t mean_step_ps = kNoInt;      // of those, of a trace of its steps; kNoInt: there is none
  const TraceSteps* trace = nullptr;  // null: a profile, which has its steps in the store

  int64_t DurationOf(StepId step) const { return lanes.steps[step.value].SpanPs(); }
  int64_t NumberOf(StepId step) const { return store->steps[step.value].number; }
};

// One question about a profile. Adds what it finds; finding nothing is no error.
using Check = Result<void>(const Checking& checking, std::vector<Finding>* findings);

struct Checker {
  std::string_view name;     // what -checker takes
  std::string_view summary;  // one line for help
  std::string (*from)();     // when it tells a finding
  std::string_view to_do;    // about one
  Check* of_profile;         // null: it does not judge them
  Check* of_trace;           // asked with the nodes of a trace; null: it does not judge traces
  bool original = false;     // a name that the original knows
  std::string (*from_of_trace)() = nullptr;  // where that is another
};

// In the order of `help advise`; the original's four first.
std::span<const Checker> Checkers();

// Whether -checker names it; without -checker all are asked.
bool IsAsked(std::string_view checker, const Query& query);

// The checkers, one file each below views/advise/. What each reports, and when, is told on
// docs/checkers/NAME.md.
Check CheckAcceleratorUse, CheckAcceleratorUseOfTrace;
Check CheckExpensiveOperations;
Check CheckOperations;
Check CheckJob;
Check CheckIdleDevices, CheckIdleDevicesOfTrace;
Check CheckPlacement;
Check CheckCopies, CheckCopiesOfTrace;
Check CheckFirstStep, CheckFirstStepOfTrace;
Check CheckStepVariation, CheckStepVariationOfTrace;
Check CheckPeakMemory;
Check CheckInput;
Check CheckCollectives;
Check CheckOtherTime;
Check CheckStepGaps;
Check CheckStragglers;

}  // namespace tfprof
