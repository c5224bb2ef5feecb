// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "analysis/intervals/interval.h"
#include "core/store/store.h"

// Nesting of the events of a lane, as of calls on a thread.

namespace tfprof {

// Nesting of the placed events of one lane. Index: row of the event - `first`.
struct LaneNesting {
  uint32_t first = 0;
  // The row of the innermost enclosing event: it starts no later and ends no earlier. Of equal
  // intervals, the earlier row encloses the later one. kNoRow: none.
  std::vector<uint32_t> parent;
  // Events in order of start, longer ones first: every event follows the events that enclose it.
  std::vector<uint32_t> order;

  uint32_t ParentOf(uint32_t row) const { return parent[row - first]; }
};

// `nesting` is reused from lane to lane for its capacity. Of two events that only overlap, neither
// encloses the other; later events cannot lie within the one that was cut off.
void NestEvents(const Store& store, const Lane& lane, LaneNesting* nesting);

// The same of some rows of a lane: other events enclose nothing. REQUIRES: `rows` in order.
void NestRows(const Store& store, std::vector<uint32_t> rows, LaneNesting* nesting);

// Self time in ps: duration minus the union of the enclosed events. Index as above.
void SelfTimes(const Store& store, const LaneNesting& nesting, std::vector<int64_t>* self_ps);

// Calls take(row, start_ps, end_ps) for the parts of the lane's time in which `row` is the
// innermost event, in order of start: they do not overlap. Of two events that only overlap, the one
// that starts first keeps the common time. `enter(row)` is called before any part of the row, after
// that of the event around it.
template <class Enter, class Take>
void EachInnermost(const Store& store, const LaneNesting& nesting, const Enter& enter,
                   const Take& take) {
  const Events& events = store.events;
  std::vector<uint32_t> open;
  int64_t until_ps = kMinPs;  // end of the parts taken
  const auto take_until = [&](uint32_t row, int64_t end_ps) {
    const int64_t start_ps = std::max(until_ps, events.start_ps[row]);
    if (end_ps <= start_ps) return;
    until_ps = end_ps;
    take(row, start_ps, end_ps);
  };
  const auto close = [&] {
    const uint32_t row = open.back();
    take_until(row, events.EndPs(row));
    open.pop_back();
  };
  for (const uint32_t row : nesting.order) {
    while (!open.empty() && open.back() != nesting.ParentOf(row)) close();
    if (!open.empty()) take_until(open.back(), events.start_ps[row]);
    enter(row);
    open.push_back(row);
  }
  while (!open.empty()) close();
}

// An event for SelfTimes over a part of one lane. SelfTimes sorts these by start, longer ones
// first.
struct TimedEvent {
  uint32_t row = 0;
  int64_t start_ps = 0;
  int64_t duration_ps = 0;
  int64_t self_ps = 0;  // output
};
void MeasureSelfTimes(std::vector<TimedEvent>* events);

// The part of a span that enclosed spans do not cover. REQUIRES: calls of Take in order of start.
struct ExclusiveTime {
  int64_t ps = 0;
  int64_t taken_until_ps = kMinPs;

  void Take(int64_t start_ps, int64_t end_ps) {
    int64_t within_ps = 0;
    ExtendUnion(start_ps, end_ps, &taken_until_ps, &within_ps);
    ps = SaturatingAdd(ps, -within_ps);
  }
};

}  // namespace tfprof
