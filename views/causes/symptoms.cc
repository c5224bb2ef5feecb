// SPDX-License-Identifier: Apache-2.0
#include "views/causes/symptoms.h"

#include <algorithm>

#include "views/causes/wall_cause.h"

namespace tfprof {
namespace {

// Findings that say that time passes without work, not why.
constexpr FindingId kSymptoms[] = {
    FindingId::accelerator_underused,
    FindingId::device_idle,
    FindingId::step_time_without_device_work,
    FindingId::step_time_without_operations,
    FindingId::time_between_steps,
    FindingId::input_not_recorded,
    FindingId::steps_vary,
    FindingId::slow_first_step,
};

bool IsCause(const Finding& finding) {
  return std::ranges::count(WallFindings(), finding.id) > 0 && finding.severity <= Severity::medium;
}

// A host for which others wait has time of its own without records.
bool MayExplain(const Finding& cause, const Finding& symptom) {
  if (symptom.id == FindingId::unrecorded_time) return cause.id == FindingId::late_host;
  return IsSymptom(symptom.id) && IsCause(cause);
}

// A cause explains a symptom of at most twice its cost: less would be another story. Compiling
// explains a slow first step.
bool Explains(const Finding& cause, const Finding& symptom) {
  if (!MayExplain(cause, symptom)) return false;
  if (symptom.id == FindingId::slow_first_step) {
    return cause.id == FindingId::compiles_first_step || cause.id == FindingId::compiles_again;
  }
  return symptom.cost_ps == kNoInt || symptom.cost_ps / 2 <= cause.cost_ps;
}

// Several causes explain idle devices where together they cost three quarters of that.
bool IsExplainedTogether(const std::vector<Finding>& findings, const Finding& symptom) {
  if (symptom.id != FindingId::device_idle && symptom.id != FindingId::accelerator_underused) {
    return false;
  }
  int64_t cost_ps = 0;
  for (const Finding& finding : findings) {
    if (IsCause(finding)) cost_ps = SaturatingAdd(cost_ps, ZeroIfAbsent(finding.cost_ps));
  }
  return symptom.cost_ps != kNoInt && cost_ps >= symptom.cost_ps / 4 * 3;
}

}  // namespace

bool IsSymptom(FindingId id) { return std::ranges::count(kSymptoms, id) > 0; }

void ExplainByCauses(std::vector<Finding>* findings) {
  for (Finding& symptom : *findings) {
    const bool together = IsExplainedTogether(*findings, symptom);
    for (const Finding& cause : *findings) {
      const bool explains = Explains(cause, symptom) || (together && IsCause(cause));
      if (explains) symptom.explained_by.push_back(cause.id);
    }
  }
}

}  // namespace tfprof
