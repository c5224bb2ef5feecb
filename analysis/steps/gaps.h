// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/steps/times.h"
#include "core/store/note.h"

namespace tfprof {

// The time between consecutive steps of a host, which belongs to no step, summed over all hosts. If
// devices record the steps, they do no work of a step in that time.
struct StepGaps {
  int64_t count = 0;  // pairs of consecutive steps, including those that touch or overlap
  int64_t sum_ps = 0;
  int64_t max_ps = 0;
  int64_t span_ps = 0;  // from the start of the first step to the end of the last one, summed

  int64_t MeanPs() const { return count == 0 ? 0 : sum_ps / count; }
  double Percent() const;  // of span_ps; NaN: fewer than two steps
};
StepGaps GapsOf(const std::vector<HostSteps>& hosts);

// Returns the time in which at least one step of the host runs.
int64_t TimeInSteps(const HostSteps& host);

// Returns true from the share in analysis/steps/thresholds.h on. While one step waits, devices and
// threads may work for another one then, so the parts of a step do not show what limits it.
bool StepsOverlap(const std::vector<HostSteps>& hosts);
// Returns the note `row` with the share of the steps' time that also lies in an earlier step.
NoteWords OverlapNote(const NoteRow& row, const std::vector<HostSteps>& hosts);

// "81.0% of the time from the first step to the last, mean 2.43 ms, max 2.50 ms". REQUIRES: count >
// 0.
std::string DisplayTextOf(const StepGaps& gaps);

}  // namespace tfprof
