// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

// The times of a set of events. ps; kNoInt and kNoTime where no event tells.
struct EventTimes {
  int64_t events = 0;      // rows
  int64_t aggregated = 0;  // of them, those that stand for several without a place in time
  int64_t sum_ps = 0;      // saturated
  int64_t min_ps = kNoInt;
  int64_t max_ps = kNoInt;
  int64_t start_ps = kNoTime;  // of the placed ones
  int64_t end_ps = kNoTime;
  int64_t busy_ps = kNoInt;  // length of the union of the placed ones

  int64_t SpanPs() const;  // kNoInt: nothing is placed
};

// Adds a placed event. REQUIRES: calls in order of start.
void AddByStart(int64_t start_ps, int64_t duration_ps, EventTimes* times);

struct LaneTimes {
  std::vector<EventTimes> lanes;         // by LaneId
  std::vector<int64_t> distinct_labels;  // by LaneId

  static Result<LaneTimes> Build(const Store& store, Context& context);
};

// The placed events of these lanes that take time, together.
EventTimes SumTogether(const Store& store, std::span<const LaneId> lanes);

// An index, by process: of a device the lanes that measure its time, together; of others nothing.
struct DeviceTimes {
  using Value = std::vector<EventTimes>;
  static Result<Value> Build(const Store& store, Context& context);
};

}  // namespace tfprof
