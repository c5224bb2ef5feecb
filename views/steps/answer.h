// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "analysis/steps/alignment.h"
#include "analysis/steps/gaps.h"
#include "core/base/arith.h"
#include "core/report/report.h"
#include "core/report/table_def.h"
#include "views/steps/parts.h"

// Facts of a trace's steps that input and overview report.

namespace tfprof {

class Indexes;

struct StepAnswer {
  std::vector<HostSteps> hosts;
  std::vector<CommonStep> common;  // in all hosts, without incomplete steps, filtered by -step
  size_t recorded = 0;             // steps before that, of the host with the most steps
  bool is_whole = false;           // incomplete steps were dropped
  StepGaps gaps = {};              // between the other steps; none for single steps of -step
  bool records_input = true;       // result of RecordsInput
  bool is_one_run = true;  // result of IsOneRun; false: hosts do unrelated work at different times
  bool overlap = false;    // result of StepsOverlap; true: what a step waits for is unknown

  const HostSteps& HostOf(const CommonStep& step) const {  // the host where it took longest
    return hosts[SlowestHost(hosts, step)];
  }
  const StepTime& Slowest(const CommonStep& step) const {
    const size_t host = SlowestHost(hosts, step);
    return hosts[host].steps[step.step[host]];
  }
};

// True if the trace shows which part of these steps is input: any waiting for input, copy to a
// device, or operation that produces input. Otherwise a 0 in the part `input` means unknown.
bool RecordsInput(const Store& store, const std::vector<HostSteps>& hosts,
                  const PlaceFilter& place);

// Errors: cancelled; usage, no such step.
Result<StepAnswer> AnswerSteps(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                               Context& context);

// Percent of the step time, over all common steps of all hosts; NaN: not measured, or no steps.
struct StepShares {
  double part[kStepParts];
  // of devices: time without input, output, compute, collectives or stalls on async work
  double idle = kNoReal;
  double of(StepPart p) const { return part[static_cast<size_t>(p)]; }
};
StepShares SharesOf(const StepAnswer& steps);

// host: input takes 20 % of the steps or more; both: 5 %, or 3 % are other; device: less; unknown:
// no steps (op_stats_to_input_pipeline_analysis.cc of xprof).
std::string_view InputClass(const StepShares& shares);

// ---- the report --------------------------------------------------------------------------------

// Returns the table steps: one row per common step, of the host where it took longest.
Table StepsTable(const Store& store, const StepAnswer& steps, TextPool* pool);

// Adds the properties hardware_type (redundant for readers beside device_type), steps, step_*_us,
// between_steps_*, the shares, input_classification and input_recorded, and notes on the steps.
void AddStepProperties(const Store& store, const StepAnswer& steps, const PlaceFilter& place,
                       Report* report);

// Hides the shares from readers, where the wall time says more.
void HideStepShares(Report* report);

// Returns the declaration of StepsTable.
const TableDef& StepsTableDef();

}  // namespace tfprof
