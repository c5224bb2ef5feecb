// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/intervals/first_free.h"

namespace tfprof {

// Assigns intervals to levels so that those of a level nest: each gets the lowest level where it
// lies within all intervals that it overlaps. Intervals that nest are all on level 0.
// REQUIRES: starts ascend; equal starts by end, descending. Cost: linear in the levels in use, up
// to kNested of them. Intervals that overlap so many others that no level is left get levels of
// their own, where nothing overlaps.
class NestingLevels {
 public:
  static constexpr uint32_t kNested = 64;

  uint32_t Place(int64_t start, int64_t end) {
    for (uint32_t level = 0; level < kNested; ++level) {
      if (level == open_.size()) open_.emplace_back();
      std::vector<int64_t>& ends = open_[level];
      while (!ends.empty() && ends.back() <= start) ends.pop_back();
      if (!ends.empty() && ends.back() < end) continue;
      ends.push_back(end);
      return level;
    }
    return kNested + rest_.Place(start, end);
  }

 private:
  std::vector<std::vector<int64_t>> open_;  // by level: ends, of the outermost interval first
  FirstFree rest_;
};

}  // namespace tfprof
