// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/steps/times.h"

namespace tfprof {

// The time between a step of a host and its next one, which belongs to no step, of all hosts
// together. Where devices tell the steps, they do nothing then that is of a step.
struct StepGaps {
  int64_t count = 0;  // pairs of neighbours, those that touch or overlap too
  int64_t sum_ps = 0;
  int64_t most_ps = 0;
  int64_t span_ps = 0;  // from the start of the first step to the end of the last, added up

  int64_t MeanPs() const { return count == 0 ? 0 : sum_ps / count; }
  double Percent() const;  // of span_ps; NaN: there are no two steps
};
StepGaps GapsOf(const std::vector<HostSteps>& hosts);

// In which at least one of its steps runs.
int64_t TimeInSteps(const HostSteps& host);

// What of the time of the steps lies in one of the same host that began before, too, in percent; of
// steps that all begin at one time all but one. NaN: there are no steps. Where steps overlap, what
// the parts of a step leave out may be work for another one: nobody waits in it then.
double OverlapPercent(const std::vector<HostSteps>& hosts);
// From analysis/steps/thresholds.h on.
bool StepsOverlap(const std::vector<HostSteps>& hosts);

// For people, of steps that overlap: how much, and what follows for their parts, or their
// durations.
std::string SaidOfOverlap(const std::vector<HostSteps>& hosts, bool of_parts);

// "81.0% of the time from the first step to the last, mean 2.43 ms, most 2.50 ms".
// REQUIRES: count > 0.
std::string SaidOf(const StepGaps& gaps);

}  // namespace tfprof
