// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "views/steps/answer.h"

namespace tfprof {

// The host whose common steps take longest by wall time, if that is a tenth longer than on the
// others. Where hosts have no common steps, all of their steps count.
// Hosts that wait for each other at every step have equal step times, whichever of them is slow:
// then no host stands out.
struct SlowHost {
  const HostSteps* host = nullptr;  // null: none stands out, or there are no two hosts of one run
  int64_t mean_ps = 0;              // mean wall time of its steps
  int64_t others_ps = 0;            // median of the other hosts' means
  size_t others = 0;
  StepTime longest;      // of its steps, by wall time
  bool in_step = false;  // result of RunInStep

  double Times() const { return static_cast<double>(mean_ps) / static_cast<double>(others_ps); }
};
SlowHost FindSlowHost(const StepAnswer& steps);

// True if most steps are common, all hosts are at some moment in the same step, for most of these,
// and get less than the shortest step further apart from the first to the last: hosts that wait for
// each other never get a step apart. Programs that do not wait seem to run in step only while they
// have not drifted.
bool RunInStep(const StepAnswer& steps);

}  // namespace tfprof
