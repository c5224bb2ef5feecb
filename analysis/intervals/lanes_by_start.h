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

// The placed events of several lanes, one after the other by start, those of one start in the order
// of their lanes; of them those that `takes(row)`. What begins in a stretch of time is gathered and
// sorted, then the next stretch: a heap of lanes would jump once for each event in a way that no
// processor foresees.
//
//   LanesByStart events(store.events);
//   for (lane ...) events.Add(lane);
//   for (; !events.Done(); events.Next()) ... events.row() ...
template <class Takes = TakesAll>
class LanesByStart {
 public:
  explicit LanesByStart(const Events& events, Takes takes = {})
      : start_ps_(events.start_ps.data()), takes_(std::move(takes)) {}

  // REQUIRES: nothing was asked yet.
  void Add(const Lane& lane) {
    const uint32_t first = lane.rows.first + lane.unplaced, end = lane.rows.first + lane.rows.count;
    if (first < end) lanes_.push_back({first, end, added_});
    ++added_;
  }
  bool Done() {
    while (next_ == gathered_.size() && !lanes_.empty()) Gather();
    return next_ == gathered_.size();
  }
  // REQUIRES: !Done().
  uint32_t row() const { return gathered_[next_].row; }
  // Of those that were added.
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

  // What begins before a time at which no lane has begun many events more.
  void Gather() {
    constexpr size_t kRows = size_t{1} << 16, kFewest = 1024;
    const size_t most = std::max(kFewest, kRows / lanes_.size());
    int64_t until_ps = kMaxPs;
    for (const Rest& rest : lanes_) {
      if (rest.end - rest.row > most) until_ps = std::min(until_ps, start_ps_[rest.row + most - 1]);
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
  size_t next_ = 0;  // of those
  StartOrder order_;
};

}  // namespace tfprof
