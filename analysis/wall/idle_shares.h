// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/steps/device_idle.h"
#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "core/store/store.h"

namespace tfprof {

// Idle time of a device that did anything, or of the threads of a host without devices.
struct IdleShare {
  std::string device;  // after the name of its host, if there are several
  int64_t within_ps = 0;
  int64_t idle_ps = 0;

  double Fraction() const { return Quotient(idle_ps, within_ps); }
};

// Busy and idle times of the devices of a profile: the definition of all views.
struct IdleShares {
  std::vector<IdleShare> devices;
  IdleWithin within = IdleWithin::capture;
  bool is_accelerated = false;  // they are accelerators, not hosts

  // Percent. Of a trace the mean of the devices: each has times of its own. Of records by step the
  // share of the sum: the steps are those of all devices. NaN: no device.
  double idle_pct = kNoReal;
  // Of devices, within the wall time of the steps, which begins before their first work and
  // excludes a step that warms up (WallSteps). NaN: not known.
  double wall_idle_pct = kNoReal;

  // Means of the devices; kNoInt: there is none.
  int64_t MeanIdlePs() const;
  int64_t MeanBusyPs() const;
};
// Error: cancelled.
Result<IdleShares> IdleSharesOf(const Store& store, const Indexes& indexes, Context& context);

}  // namespace tfprof
