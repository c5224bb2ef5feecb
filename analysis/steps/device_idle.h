// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/indexes.h"
#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

// Idle time of a device, within the steps of its host or, without steps, within the host's whole
// recording.
struct DeviceIdle {
  bool of_steps = false;
  int64_t within_ps = 0;
  // part of it in which no kernel, operation or copy runs; kNoInt: none ever ran
  int64_t idle_ps = kNoInt;
};

// Returns idle times by process, within the steps that -step selects. All views use this
// definition, except those of the original tools (-ids original). Cost: one pass over the events of
// devices by start. Error: cancelled.
Result<std::vector<DeviceIdle>> IdleOfDevices(const Store& store, const Indexes& indexes,
                                              const PlaceFilter& place, Context& context);

}  // namespace tfprof
