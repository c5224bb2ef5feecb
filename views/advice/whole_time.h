// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "views/advice/checker.h"

namespace tfprof {

// What the times of operations, which are sums over all of a trace, are weighed against: the time
// of its steps, without steps that from its first start to its last end; of each device that did
// anything, of a host without devices once. Operations on several threads of a host at once may
// take longer.
struct WholeTime {
  int64_t ps = 0;  // 0: of a profile, whose operations are weighed against each other alone
  bool of_steps = false;

  double Percent(int64_t part_ps) const;  // 100 at most
  // `of_steps` or, without steps, `of_trace`: the share; absent of a profile.
  Value ShareOf(int64_t part_ps) const;
};
WholeTime WholeTimeOf(const TraceSteps* trace);  // null: a profile

}  // namespace tfprof
