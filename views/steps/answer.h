// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <string_view>
#include <vector>

#include "analysis/steps/alignment.h"
#include "analysis/steps/gaps.h"
#include "core/base/arith.h"
#include "core/report/report.h"
#include "views/steps/parts.h"

// What input and overview tell of the steps of a trace.
#include "core/report/table_def.h"

namespace tfprof {

struct StepAnswer {
  std::vector<HostSteps> hosts;
  std::vector<CommonStep> common;  // in all hosts; incomplete ones are dropped, -step is applied
  size_t recorded = 0;             // steps before that, of the host that has most
  bool is_whole = false;           // incomplete ones were dropped
  StepGaps gaps = {};       // between the others; of single steps, which -step asks for, none
  bool tells_input = true;  // TellInput
  bool is_one_run = true;   // IsOneRun: else hosts do other work at other times
  bool overlap = false;     // StepsOverlap: what a step waits for is not known then

  const HostSteps& HostOf(const CommonStep& step) const {  // where it took longest
    return hosts[SlowestHost(hosts, step)];
  }
  const StepTime& Slowest(const CommonStep& step) const {
    const size_t host = SlowestHost(hosts, step);
    return hosts[host].steps[step.step[host]];
  }
};

// Whether anything tells what of these steps is input: in any of the trace, waiting for it or a
// copy to a device, or an operation that makes it. If not, 0 of the part `input` is not known.
bool TellInput(const Store& store, const std::vector<HostSteps>& hosts, const PlaceFilter& place);

// Errors: cancelled; usage, there is no such step.
Result<StepAnswer> AskSteps(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                            Context& context);

// Of 100 percent of the step time, over all common steps of all hosts; NaN: not measured, no step.
struct StepShares {
  double part[kStepParts];
  // Of devices: in which they do none of input, output, compute, collectives, and await none.
  double idle = kNoReal;
  double of(StepPart p) const { return part[static_cast<size_t>(p)]; }
};
StepShares SharesOf(const StepAnswer& steps);

// host: input takes 20 % of the steps or more; both: 5 %, or 3 % are other; device; unknown: no
// step (op_stats_to_input_pipeline_analysis.cc of xprof).
std::string_view InputClass(const StepShares& shares);

// ---- the report --------------------------------------------------------------------------------

// Table steps: one row per common step, of the host where it took longest.
Table StepsTable(const Store& store, const StepAnswer& steps, TextPool* pool);

// The properties hardware_type, which people do not need beside device_type, steps, step_*_us,
// between_steps_*, the shares, input_classification and input_recorded; notes on the steps.
void TellSteps(const Store& store, const StepAnswer& steps, const PlaceFilter& place,
               Report* report);

// The declaration of StepsTable.
const TableDef& StepsTableDef();

}  // namespace tfprof
