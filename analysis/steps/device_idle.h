// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/indexes.h"
#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

// What the idle time of a device lies within.
enum class IdleWithin : uint8_t {
  capture,  // all that its host recorded
  steps,    // those of its host, or those of the device where they are recorded
  work,     // from its first work to its last: its steps are inferred (analysis/wall/)
};

// Idle time of a device.
struct DeviceIdle {
  IdleWithin within = IdleWithin::capture;
  int64_t within_ps = 0;
  // part of it in which no kernel, operation or copy runs; kNoInt: none ever ran
  int64_t idle_ps = kNoInt;
};

// Returns idle times by process, within the steps that -step selects. Without PlaceFilter::exact,
// no steps are inferred. All views use this definition, except those of the original tools (-ids
// original). Cost: one pass over the events of devices by start. Error: cancelled.
Result<std::vector<DeviceIdle>> IdleOfDevices(const Store& store, const Indexes& indexes,
                                              const PlaceFilter& place, Context& context);

}  // namespace tfprof
