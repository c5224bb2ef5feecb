// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/intervals/interval.h"
#include "core/store/store.h"

// How the events of a lane lie within each other, as calls do on a thread.

namespace tfprof {

// Of the placed events of one lane. Index: row of the event - `first`.
struct LaneNesting {
  uint32_t first = 0;
  // The row of the innermost event that lies around it: began no later, ends no earlier. Of equal
  // intervals the earlier row lies around the later one. kNoRow: none.
  std::vector<uint32_t> parent;
  // Events by start, longer ones first: every event stands after those around it.
  std::vector<uint32_t> order;

  uint32_t ParentOf(uint32_t row) const { return parent[row - first]; }
};

// Kept from lane to lane for its capacity. An event that only overlaps another lies in none of the
// two; what begins later cannot lie in the one that it cut off.
void NestEvents(const Store& store, const Lane& lane, LaneNesting* nesting);

// Exclusive time in ps: duration less the union of what lies within. Index as above.
void SelfTimes(const Store& store, const LaneNesting& nesting, std::vector<int64_t>* self_ps);

// The same of some events of one lane. Sorts them by start, longer ones first.
struct TimedEvent {
  uint32_t row = 0;
  int64_t start_ps = 0;
  int64_t duration_ps = 0;
  int64_t self_ps = 0;  // set here
};
void MeasureSelfTimes(std::vector<TimedEvent>* events);

// What is left of a span without those within it. REQUIRES: calls of Take in order of start.
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
