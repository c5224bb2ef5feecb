// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/base/context.h"
#include "core/store/store.h"

// A TPU tells two times for each operation: that of its event, on one axis with the events of
// hosts, and that by its own clock. Some views have the one, some the other.

namespace tfprof {

class Indexes;
struct ChosenEvents;

struct ClockDifference {
  int64_t off_ps = 0;       // by how much the two sums of each operation differ; added up
  int64_t own_ps = 0;       // durations by the device's own clock
  double most_percent = 0;  // by which one operation with kCounts of that time or more differs

  static constexpr double kCounts = 0.01;

  void Add(const ClockDifference& other);
  double Percent() const;  // of own_ps; 0: no operation ran
  bool IsWorthANote() const;
  std::string Said() const;  // "differ from them by 6.6 % altogether, ..."
};

// Of the chosen work of a device; nothing where it tells no clock of its own. Costs a pass over the
// key `device_duration_ps` where it does. Error: cancelled.
Result<ClockDifference> CompareClocks(const Store& store, const Indexes& indexes, ProcessId device,
                                      const ChosenEvents& chosen, Context& context);

}  // namespace tfprof
