// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/context.h"
#include "core/store.h"

// A TPU tells two times for each operation: that of its event, on one axis with the events of
// hosts, and that by its own clock. Some views have the one, some the other.

namespace tfprof {

class Indexes;
struct ChosenEvents;

struct ClockDifference {
  int64_t off_ps = 0;  // by how much the two sums of each operation differ; added up
  int64_t own_ps = 0;  // durations by the device's own clock

  void Add(const ClockDifference& other);
  double Percent() const;  // of own_ps; 0: no operation ran
  bool IsWorthANote() const;
};

// Of the chosen work of a device; nothing where it tells no clock of its own. Costs a pass over the
// key `device_duration_ps` where it does. Error: cancelled.
Result<ClockDifference> CompareClocks(const Store& store, const Indexes& indexes, ProcessId device,
                                      const ChosenEvents& chosen, Context& context);

}  // namespace tfprof
