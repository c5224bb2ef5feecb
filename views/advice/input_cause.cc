// SPDX-License-Identifier: Apache-2.0
#include "views/advice/input_cause.h"

#include <algorithm>

#include "analysis/steps/thresholds.h"
#include "views/advice/class_sums.h"

namespace tfprof {
namespace {

// Adds the largest finding that may be about input to a verdict that nothing was recorded.
void AddPossibleInput(const std::vector<Finding>& findings, Report* report) {
  const auto possible = std::ranges::find_if(findings, MayBeInput);
  if (possible == findings.end() || possible->severity > Severity::medium) return;
  for (Property& property : report->properties) {
    const bool unknown =
        property.id == "input_classification" && property.display_text.starts_with("unknown: no");
    if (unknown) property.display_text += "; " + WhatOf(*possible);
  }
}

}  // namespace

bool WaitsForInput(const StepAnswer& steps) {
  return !steps.overlap && ShareOf(steps, StepClass::input_wait) >= kModerateInput;
}

Result<InputOps> OpsOfWaiting(const StepFacts& facts, const PlaceFilter& place) {
  TFPROF_ASSIGN(InputOps ops, FindInputOps(facts.trace, facts.indexes, place, facts.context));
  TFPROF_TRY(AddOwnTimes(facts.trace, facts.indexes, place, &ops, facts.context));
  TFPROF_ASSIGN(ops.of_costliest,
                FactsOfCostliest(facts.trace, facts.indexes, ops, place, facts.context));
  return ops;
}

bool MayBeInput(const Finding& finding) {
  constexpr FindingId kHostFindings[] = {FindingId::python_function,   FindingId::host_region,
                                         FindingId::waits_for_queue,   FindingId::waits_for_lock,
                                         FindingId::waits_for_results, FindingId::steps_get_longer,
                                         FindingId::copies_in_steps,   FindingId::unrecorded_time};
  return std::ranges::find(kHostFindings, finding.id) != std::end(kHostFindings);
}

void AgreeOnInput(const std::vector<Finding>& findings, const Query& query, Report* report) {
  if (query.display.original_ids) return;
  const auto input = std::ranges::find(findings, FindingId::input_bound, &Finding::id);
  if (input == findings.end()) return AddPossibleInput(findings, report);
  for (Property& property : report->properties) {
    const bool agrees =
        property.display_text.starts_with("yes") || property.display_text.starts_with("partly");
    if (property.id != "input_classification" || agrees) continue;
    property.head = "input bound";
    property.text = input->severity <= Severity::medium ? "host" : "both";
    property.display_text = "yes: " + WhatOf(*input);
    HideStepShares(report);  // parts of the steps that lack the waiting
  }
}

}  // namespace tfprof
