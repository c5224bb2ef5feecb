// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/intervals/interval.h"

namespace tfprof {

// Disjoint intervals in order of start; they do not touch.
using Intervals = std::span<const Interval>;

int64_t LengthPs(Intervals set);  // total length

// Calls take(from_ps, to_ps) for each part of the set within [start_ps, end_ps), in order of start.
template <class Take>
void EachWithin(Intervals set, int64_t start_ps, int64_t end_ps, const Take& take) {
  auto part = std::upper_bound(set.begin(), set.end(), start_ps,
                               [](int64_t at_ps, const Interval& p) { return at_ps < p.end_ps; });
  for (; part != set.end() && part->start_ps < end_ps; ++part) {
    take(std::max(start_ps, part->start_ps), std::min(end_ps, part->end_ps));
  }
}

// Linear in the sizes of both sets. The result has no empty intervals.
std::vector<Interval> Subtract(Intervals from, Intervals without);

// The union of the added intervals, which may overlap and come in any order. Several lanes run in
// parallel, so most added intervals are covered already and cost one comparison: a quarter of the
// cost of sorting all of them.
class IntervalSet {
 public:
  // Fastest for intervals in order of start. An empty interval stays separate unless it lies within
  // another one, or at its start.
  void Add(int64_t start_ps, int64_t end_ps) {
    if (Covers(last_part_, start_ps, end_ps)) return;
    AddElsewhere(start_ps, end_ps);
  }
  Intervals Parts();  // valid until the next Add
  int64_t CoveredPs() { return LengthPs(Parts()); }

 private:
  static constexpr size_t kMinFresh = 64;
  static constexpr Interval kNoPart{kMaxPs, kMinPs};  // covers nothing

  bool Covers(const Interval& part, int64_t start_ps, int64_t end_ps) const {
    return part.start_ps <= start_ps && end_ps <= part.end_ps && start_ps < part.end_ps;
  }
  void AddElsewhere(int64_t start_ps, int64_t end_ps);
  void MergeFresh();

  std::vector<Interval> parts_;   // sorted and merged
  std::vector<Interval> fresh_;   // added since, in any order
  size_t last_index_ = 0;         // index into parts_ of the last part found
  Interval last_part_ = kNoPart;  // that part; none since the last merge
};

}  // namespace tfprof
