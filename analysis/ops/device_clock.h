// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/base/context.h"
#include "core/store/store.h"

// A TPU records two durations per operation: that of its event, on the time axis of the hosts, and
// that by its own clock. Some views use the first, others the second.

namespace tfprof {

class Indexes;
struct ChosenEvents;

struct ClockDifference {
  int64_t off_ps = 0;      // sum of the absolute differences per operation
  int64_t own_ps = 0;      // durations by the device's clock
  double max_percent = 0;  // max difference of an operation with at least kCounts of that time

  static constexpr double kCounts = 0.01;

  void Add(const ClockDifference& other);
  double Percent() const;  // of own_ps; 0: no operation ran
  bool DeservesNote() const;
  std::string DisplayText() const;  // "differ from them by 6.6 % altogether, ..."
};

// Compares the clocks over the chosen work of a device; empty if it records no clock of its own.
// Cost: a pass over the key `device_duration_ps`, if recorded. Error: cancelled.
Result<ClockDifference> CompareClocks(const Store& store, const Indexes& indexes, ProcessId device,
                                      const ChosenEvents& chosen, Context& context);

}  // namespace tfprof
