// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/indexes.h"
#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

// Where a device is idle: the steps of its host, else the whole recording of that host.
struct DeviceIdle {
  bool of_steps = false;
  int64_t within_ps = 0;
  int64_t idle_ps = kNoInt;  // of that: no kernel, operation or copy runs; kNoInt: none ever ran
};

// By process. Of the steps that -step asks for; the one definition of idle time in all views, but
// for those that the original tools have (-ids original). Cost: one pass over the events of devices
// by start. Error: cancelled.
Result<std::vector<DeviceIdle>> IdleOfDevices(const Store& store, const Indexes& indexes,
                                              const PlaceFilter& place, Context& context);

}  // namespace tfprof
