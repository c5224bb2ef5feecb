// SPDX-License-Identifier: Apache-2.0
#include "views/causes/symptoms.h"

#include <algorithm>

namespace tfprof {
namespace {

using enum FindingId;

// Findings about parts of the wall time, which say why it passes.
constexpr FindingId kCauses[] = {
    compiles_again,       compiles_first_step, traces_again,      garbage_collector,
    checkpoint_in_steps,  python_callback,     waits_for_queue,   waits_for_lock,
    steps_get_longer,     input_bound,         eager_execution,   many_programs,
    python_function,      copies_in_steps,     waits_for_results, unrecorded_time,
    small_program,        late_host,           small_operations,  other_programs,
    device_communication, host_region,         waits_for_devices, host_operation,
    device_memory,        creates_iterators};

// Findings that say that time passes without work, not why.
constexpr FindingId kSymptoms[] = {
    accelerator_underused,
    device_idle,
    step_time_without_device_work,
    step_time_without_operations,
    time_between_steps,
    input_not_recorded,
    steps_vary,
    slow_first_step,
};

bool IsCause(const Finding& finding) {
  return std::ranges::count(kCauses, finding.id) > 0 && finding.severity <= Severity::medium;
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
