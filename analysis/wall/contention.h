// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/intervals/interval.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "core/store/store.h"

// Jobs that use the same devices at the same time.

namespace tfprof {

// The wall time of a store's time 0 by the clock of a source, in ns since 1970. kNoInt: unknown;
// its times count from the start of the recording.
int64_t WallTimeOf(const Store& store, SourceId source);

// When a device works for a job. Times are since `base_ns` of UseOf, by the clock of the device's
// host.
struct UsedDevice {
  std::string host;
  std::string device;
  Interval window;             // that of the steps, else of the capture
  std::vector<Interval> busy;  // disjoint, by start
};

// Returns what a trace uses; empty: the wall time is unknown, or nothing ran on devices. `base_ns`:
// a wall time near those of all jobs. Errors: cancelled; those of Indexes::Details.
Result<std::vector<UsedDevice>> UseOf(const Store& store, const Indexes& indexes, int64_t base_ns,
                                      Context& context);

// Idle time of a job's devices in which other jobs keep them busy.
struct Contention {
  int64_t waits_ps = 0;       // sum over the devices
  int64_t devices = 0;        // devices of the job that another job uses at some time in the window
  std::vector<size_t> other;  // those jobs, ascending
};
// By job. Devices are the same if their hosts and names are.
std::vector<Contention> ContentionOf(std::span<const std::vector<UsedDevice>> jobs);

}  // namespace tfprof
