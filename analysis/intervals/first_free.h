// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace tfprof {

// Assigns overlapping intervals to tracks: each gets the lowest track that is free at its start.
// REQUIRES: starts ascend. Cost: logarithmic in the number of tracks in use.
class FirstFree {
 public:
  uint32_t Place(int64_t start, int64_t end) {
    while (!busy_.empty() && busy_.top().first <= start) {
      free_.push(busy_.top().second);
      busy_.pop();
    }
    const uint32_t track = free_.empty() ? tracks_++ : free_.top();
    if (!free_.empty()) free_.pop();
    busy_.push({end, track});
    return track;
  }

 private:
  template <class T>
  using SmallestFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;

  SmallestFirst<std::pair<int64_t, uint32_t>> busy_;  // by end
  SmallestFirst<uint32_t> free_;
  uint32_t tracks_ = 0;
};

}  // namespace tfprof
