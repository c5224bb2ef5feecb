// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "core/store.h"

namespace tfprof {

struct TakesAll {
  bool operator()(uint32_t) const { return true; }
};

// The placed events of several lanes, one after the other by start, those of one start by row; of
// them those that `takes(row)`. Costs a few comparisons an event, more with more lanes.
//
//   LanesByStart events(store.events);
//   for (lane ...) events.Add(lane);
//   for (; !events.Done(); events.Next()) ... events.row() ...
template <class Takes = TakesAll>
class LanesByStart {
 public:
  explicit LanesByStart(const Events& events, Takes takes = {})
      : start_ps_(events.start_ps.data()), takes_(std::move(takes)) {}

  void Add(const Lane& lane) {
    Place place{0, lane.rows.first + lane.unplaced, lane.rows.first + lane.rows.count};
    if (!Arrive(&place)) return;
    heap_.push_back(place);
    for (size_t at = heap_.size() - 1; at > 0 && Before(heap_[at], heap_[(at - 1) / 2]);
         at = (at - 1) / 2) {
      std::swap(heap_[at], heap_[(at - 1) / 2]);
    }
  }
  bool Done() const { return heap_.empty(); }
  uint32_t row() const { return heap_.front().row; }
  void Next() {
    Place next = heap_.front();
    ++next.row;
    if (!Arrive(&next)) {
      next = heap_.back();
      heap_.pop_back();
      if (heap_.empty()) return;
    }
    SiftDown(next);
  }

 private:
  // The next event of a lane.
  struct Place {
    int64_t start_ps;
    uint32_t row;
    uint32_t end;
  };

  static bool Before(const Place& a, const Place& b) {
    return a.start_ps != b.start_ps ? a.start_ps < b.start_ps : a.row < b.row;
  }
  // False: the lane has no more.
  bool Arrive(Place* place) const {
    while (place->row < place->end && !takes_(place->row)) ++place->row;
    if (place->row >= place->end) return false;
    place->start_ps = start_ps_[place->row];
    return true;
  }
  // From the top, which is free.
  void SiftDown(Place place) {
    size_t at = 0;
    for (size_t child = 1; child < heap_.size(); child = 2 * at + 1) {
      if (child + 1 < heap_.size()) child += Before(heap_[child + 1], heap_[child]);
      if (!Before(heap_[child], place)) break;
      heap_[at] = heap_[child];
      at = child;
    }
    heap_[at] = place;
  }

  const int64_t* start_ps_;
  Takes takes_;
  std::vector<Place> heap_;
};

}  // namespace tfprof
