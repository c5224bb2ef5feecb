// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

// Times of a set of events, in ps; kNoInt and kNoTime if no event records them.
struct EventTimes {
  int64_t events = 0;      // rows
  int64_t aggregated = 0;  // of these, rows that aggregate several executions without a time
  int64_t sum_ps = 0;      // saturated
  int64_t min_ps = kNoInt;
  int64_t max_ps = kNoInt;
  int64_t start_ps = kNoTime;  // of placed events
  int64_t end_ps = kNoTime;
  int64_t busy_ps = kNoInt;  // length of the union of placed events

  int64_t SpanPs() const;  // kNoInt: nothing is placed
};

// Adds a placed event. REQUIRES: calls in order of start.
void AddByStart(int64_t start_ps, int64_t duration_ps, EventTimes* times);

struct LaneTimes {
  std::vector<EventTimes> lanes;         // by LaneId
  std::vector<int64_t> distinct_labels;  // by LaneId

  static Result<LaneTimes> Build(const Store& store, Context& context);
};

// Sums the placed events of these lanes that take time, as one set.
EventTimes SumUnion(const Store& store, std::span<const LaneId> lanes);

// An index, by process: for a device, the lanes that measure its time as one set; empty for other
// processes.
struct DeviceTimes {
  using Value = std::vector<EventTimes>;
  static Result<Value> Build(const Store& store, Context& context);
};

}  // namespace tfprof
