// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/intervals/interval.h"

namespace tfprof {

// Intervals by start that neither overlap nor touch.
using Intervals = std::span<const Interval>;

int64_t LengthPs(Intervals set);  // of all together

// Calls take(from_ps, to_ps) for each piece of a set within [start_ps, end_ps), by start.
template <class Take>
void EachWithin(Intervals set, int64_t start_ps, int64_t end_ps, const Take& take) {
  auto part = std::upper_bound(set.begin(), set.end(), start_ps,
                               [](int64_t at_ps, const Interval& p) { return at_ps < p.end_ps; });
  for (; part != set.end() && part->start_ps < end_ps; ++part) {
    take(std::max(start_ps, part->start_ps), std::min(end_ps, part->end_ps));
  }
}

// Linear in both sets. Intervals without length are in neither result.
std::vector<Interval> Intersect(Intervals a, Intervals b);
std::vector<Interval> Subtract(Intervals from, Intervals without);

// The union of the intervals added, which may overlap and come in any order. Those of several lanes
// run side by side, so most of what a lane adds is covered already and costs one comparison: a
// quarter of what sorting all of them takes.
class IntervalSet {
 public:
  // Fastest for intervals that come by start. One without length stays one of its own unless it
  // lies within another, or where one begins.
  void Add(int64_t start_ps, int64_t end_ps) {
    if (Covers(near_part_, start_ps, end_ps)) return;
    AddElsewhere(start_ps, end_ps);
  }
  Intervals Parts();  // valid until the next Add
  int64_t CoveredPs() { return LengthPs(Parts()); }

 private:
  static constexpr size_t kLeastFresh = 64;
  static constexpr Interval kNoPart{kMaxPs, kMinPs};  // covers nothing

  bool Covers(const Interval& part, int64_t start_ps, int64_t end_ps) const {
    return part.start_ps <= start_ps && end_ps <= part.end_ps && start_ps < part.end_ps;
  }
  void AddElsewhere(int64_t start_ps, int64_t end_ps);
  void Settle();

  std::vector<Interval> parts_;   // settled
  std::vector<Interval> fresh_;   // since then, in any order
  size_t near_ = 0;               // of parts_: where the last one was
  Interval near_part_ = kNoPart;  // that one; none since they were settled
};

}  // namespace tfprof
