// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "views/steps/answer.h"

namespace tfprof {

// The host whose common steps take longest, where they take a tenth longer than those of the
// others. Hosts that wait for each other at every step take the same time for it, whichever of them
// is slow: no host stands out then.
struct SlowHost {
  const HostSteps* host = nullptr;  // null: none does, or there are no two hosts of one run
  int64_t mean_ps = 0;              // of its steps
  int64_t others_ps = 0;            // median of those of the others
  size_t others = 0;
  bool in_step = false;  // RunInStep

  double Times() const { return static_cast<double>(mean_ps) / static_cast<double>(others_ps); }
};
SlowHost FindSlowHost(const StepAnswer& steps);

// Whether most common steps have a moment at which all hosts are in them: hosts that wait for each
// other never get a step apart.
bool RunInStep(const StepAnswer& steps);

}  // namespace tfprof
