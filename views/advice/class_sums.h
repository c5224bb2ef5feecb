// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "views/advice/evidence.h"
#include "views/steps/answer.h"

namespace tfprof {

template <class Take>  // calls take(host, step)
void EachCommonStep(const StepAnswer& steps, Take take) {
  for (const CommonStep& common : steps.common) {
    for (size_t i = 0; i < steps.hosts.size(); ++i) {
      if (common.step[i] == CommonStep::kNotThere) continue;
      take(steps.hosts[i], steps.hosts[i].steps[common.step[i]]);
    }
  }
}

// Sum of some time over the steps that all hosts have, and the step with the max of a part.
struct SumInSteps {
  int64_t sum_ps = 0;
  int64_t steps_ps = 0;
  int64_t steps = 0;
  int64_t max_ps = -1;  // max of the part in one step
  const HostSteps* host = nullptr;
  const StepTime* step = nullptr;

  int64_t MeanPs() const { return steps == 0 ? 0 : sum_ps / steps; }
  double OfStepsPercent() const { return Percent(sum_ps, steps_ps); }
};

template <class TimeOf>  // returns time_of(host, step)
SumInSteps SumOf(const StepAnswer& steps, StepPart part, TimeOf time_of) {
  SumInSteps found;
  EachCommonStep(steps, [&](const HostSteps& host, const StepTime& step) {
    found.sum_ps = SaturatingAdd(found.sum_ps, ZeroIfAbsent(time_of(host, step)));
    found.steps_ps = SaturatingAdd(found.steps_ps, step.duration_ps);
    ++found.steps;
    const int64_t part_ps = At(PartsOf(host, step), part);
    if (part_ps == kNoInt || part_ps <= found.max_ps) return;
    found.max_ps = part_ps;
    found.host = &host;
    found.step = &step;
  });
  return found;
}

inline SumInSteps SumOf(const StepAnswer& steps, StepPart part, StepClass of) {
  return SumOf(steps, part,
               [of](const HostSteps&, const StepTime& step) { return At(step.class_ps, of); });
}

inline SumInSteps SumOf(const StepAnswer& steps, StepPart part) {
  return SumOf(steps, part, [part](const HostSteps& host, const StepTime& step) {
    return At(PartsOf(host, step), part);
  });
}

// Percent of the step time; NaN: no steps.
inline double ShareOf(const StepAnswer& steps, StepClass of) {
  const SumInSteps sum = SumOf(steps, StepPart::other, of);
  return sum.steps_ps > 0 ? sum.OfStepsPercent() : kNoReal;
}

}  // namespace tfprof
