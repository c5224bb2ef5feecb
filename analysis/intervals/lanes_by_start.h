// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/intervals/start_order.h"
#include "core/store/store.h"

namespace tfprof {

struct TakesAll {
  bool operator()(uint32_t) const { return true; }
};

// Merges the placed events of several lanes that `takes(row)` accepts, in order of start; events
// with equal starts keep the order of their lanes. Events that start in one interval of time are
// collected and sorted, then those of the next interval: a heap of lanes would take one
// unpredictable branch per event.
//   LanesByStart events(store.events);
//   for (lane ...) events.Add(lane);
//   for (; !events.Done(); events.Next()) ... events.row() ...
template <class Takes = TakesAll>
class LanesByStart {
 public:
  explicit LanesByStart(const Events& events, Takes takes = {})
      : start_ps_(events.start_ps.data()), takes_(std::move(takes)) {}

  // REQUIRES: no event was read yet.
  void Add(const Lane& lane) {
    const Range rows = lane.PlacedRows();
    if (rows.count > 0) lanes_.push_back({rows.first, rows.After(), added_});
    ++added_;
  }
  bool Done() {
    while (next_ == gathered_.size() && !lanes_.empty()) Gather();
    return next_ == gathered_.size();
  }
  // REQUIRES: !Done().
  uint32_t row() const { return gathered_[next_].row; }
  // Index of the lane, in order of Add.
  uint32_t lane() const { return gathered_[next_].lane; }
  void Next() { ++next_; }

 private:
  struct Rest {
    uint32_t row;
    uint32_t end;
    uint32_t lane;
  };
  struct Place {
    int64_t start_ps;
    uint32_t row;
    uint32_t lane;
  };

  // Collects the events that start before a time chosen so that no lane contributes many more
  // events.
  void Gather() {
    constexpr size_t kRows = size_t{1} << 16, kMinRows = 1024;
    const size_t max = std::max(kMinRows, kRows / lanes_.size());
    int64_t until_ps = kMaxPs;
    for (const Rest& rest : lanes_) {
      if (rest.end - rest.row > max) until_ps = std::min(until_ps, start_ps_[rest.row + max - 1]);
    }
    gathered_.clear();
    next_ = 0;
    for (Rest& rest : lanes_) {
      for (; rest.row < rest.end && start_ps_[rest.row] <= until_ps; ++rest.row) {
        if (takes_(rest.row)) gathered_.push_back({start_ps_[rest.row], rest.row, rest.lane});
      }
    }
    std::erase_if(lanes_, [](const Rest& rest) { return rest.row == rest.end; });
    order_.Sort(std::span(gathered_));
  }

  const int64_t* start_ps_;
  Takes takes_;
  std::vector<Rest> lanes_;
  uint32_t added_ = 0;
  std::vector<Place> gathered_;
  size_t next_ = 0;  // index into gathered_
  StartOrder order_;
};

}  // namespace tfprof
