// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "views/advice/checker.h"

namespace tfprof {

// The denominator for times of operations, which are sums over a whole trace: the time of its steps
// or, without steps, from its first start to its last end. It counts once for each device that did
// anything, and once for a host without devices. Operations on several threads of a host at once
// may exceed it.
struct TotalTime {
  int64_t ps = 0;  // 0: a profile, whose operations are compared only with each other
  bool of_steps = false;

  double Percent(int64_t part_ps) const;  // at most 100
  // Returns the share under the name `of_steps` or, without steps, `of_trace`; absent for a
  // profile.
  Value ShareOf(int64_t part_ps) const;
};
TotalTime TotalTimeOf(const Checking& checking);

}  // namespace tfprof
