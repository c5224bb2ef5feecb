// SPDX-License-Identifier: Apache-2.0
#include "analysis/intervals/interval_set.h"

#include <catch2/catch.hpp>
#include <random>

#include "analysis/intervals/nesting.h"

namespace tfprof::interval_set_test {
namespace {

using Parts = std::vector<Interval>;

Parts PartsOf(IntervalSet* set) {
  const Intervals parts = set->Parts();
  return {parts.begin(), parts.end()};
}

TEST_CASE("intervals that overlap or touch are merged") {
  IntervalSet set;
  set.Add(10, 20);
  set.Add(40, 50);
  set.Add(20, 25);
  set.Add(12, 15);
  set.Add(5, 11);
  CHECK(PartsOf(&set) == Parts{{5, 25}, {40, 50}});
  set.Add(24, 41);
  CHECK(PartsOf(&set) == Parts{{5, 50}});
}

TEST_CASE("an empty interval stays separate unless another one covers it") {
  IntervalSet set;
  set.Add(30, 30);
  set.Add(30, 30);
  set.Add(10, 20);
  set.Add(15, 15);
  set.Add(20, 20);
  CHECK(PartsOf(&set) == Parts{{10, 20}, {20, 20}, {30, 30}});
  set.Add(30, 31);
  CHECK(PartsOf(&set) == Parts{{10, 20}, {20, 20}, {30, 31}});
}

TEST_CASE("lengths saturate at the ends of time") {
  IntervalSet set;
  set.Add(kMinPs, 0);
  set.Add(5, kMaxPs);
  CHECK(set.CoveredPs() == kMaxPs);
  CHECK(SpanOf(kMinPs, kMaxPs) == kMaxPs);
  int64_t until_ps = kMinPs, sum_ps = 0;
  ExtendUnion(kMinPs, -1, &until_ps, &sum_ps);
  ExtendUnion(0, kMaxPs, &until_ps, &sum_ps);
  CHECK(sum_ps == kMaxPs);
}

// ---- against one bit per unit of time ----------------------------------------------------------

constexpr int64_t kTimes = 48;
using Bits = std::vector<bool>;

Bits BitsOf(Intervals intervals) {
  Bits bits(kTimes);
  for (const Interval& of : intervals) {
    for (int64_t at = of.start_ps; at < of.end_ps; ++at) bits[static_cast<size_t>(at)] = true;
  }
  return bits;
}

// The maximal runs of set bits.
Parts RunsOf(const Bits& bits) {
  Parts runs;
  for (int64_t at = 0; at < kTimes; ++at) {
    if (!bits[static_cast<size_t>(at)]) continue;
    if (runs.empty() || runs.back().end_ps != at) runs.push_back({at, at});
    runs.back().end_ps = at + 1;
  }
  return runs;
}

template <class Both>
Bits Combine(const Bits& a, const Bits& b, const Both& both) {
  Bits bits(kTimes);
  for (size_t i = 0; i < bits.size(); ++i) bits[i] = both(a[i], b[i]);
  return bits;
}

class RandomIntervals {
 public:
  int64_t Below(int64_t max) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(max));
  }
  Parts Next(bool with_moments) {
    Parts made(static_cast<size_t>(Below(14)));
    const int64_t longest = 1 + Below(kTimes / 2);
    for (Interval& of : made) {
      of.start_ps = Below(kTimes);
      of.end_ps = std::min(kTimes, of.start_ps + (with_moments ? 0 : 1) + Below(longest));
    }
    return made;
  }

 private:
  std::mt19937_64 random_{11};
};

Parts UnionOf(const Parts& intervals) {
  IntervalSet set;
  for (const Interval& of : intervals) set.Add(of.start_ps, of.end_ps);
  return PartsOf(&set);
}

Parts WithoutMoments(Parts parts) {
  std::erase_if(parts, [](const Interval& of) { return of.start_ps == of.end_ps; });
  return parts;
}

TEST_CASE("unions and differences match a computation per moment") {
  RandomIntervals random;
  for (int round = 0; round < 4000; ++round) {
    INFO("round " << round);
    const Parts all = random.Next(round % 2 == 0);
    const Bits within = BitsOf(all);
    const Parts set = UnionOf(all);
    REQUIRE(WithoutMoments(set) == RunsOf(within));
    REQUIRE(LengthPs(set) == std::count(within.begin(), within.end(), true));
    const Parts other = random.Next(round % 3 == 0);
    REQUIRE(Subtract(set, UnionOf(other)) ==
            RunsOf(Combine(within, BitsOf(other), [](bool x, bool y) { return x && !y; })));
  }
}

TEST_CASE("the parts within an interval and the union that grows by start cover the same time") {
  RandomIntervals random;
  for (int round = 0; round < 4000; ++round) {
    INFO("round " << round);
    Parts all = random.Next(round % 2 == 0);
    const Parts set = UnionOf(all);
    const int64_t from = random.Below(kTimes), to = from + random.Below(kTimes + 1 - from);
    Parts pieces;
    EachWithin(set, from, to, [&](int64_t start, int64_t end) { pieces.push_back({start, end}); });
    REQUIRE(WithoutMoments(pieces) ==
            RunsOf(Combine(BitsOf(set), BitsOf(Parts{{from, to}}), std::logical_and())));
    std::stable_sort(all.begin(), all.end(),
                     [](const Interval& x, const Interval& y) { return x.start_ps < y.start_ps; });
    int64_t until_ps = kMinPs, sum_ps = 0;
    for (const Interval& of : all) ExtendUnion(of.start_ps, of.end_ps, &until_ps, &sum_ps);
    REQUIRE(sum_ps == LengthPs(set));
  }
}

// The time of an event in which nothing within it runs: an event is within the innermost one that
// begins no later and ends no earlier; of equal ones the earlier row is outside.
std::vector<int64_t> ExclusiveOf(const std::vector<TimedEvent>& events) {
  const auto end = [](const TimedEvent& of) { return of.start_ps + of.duration_ps; };
  const auto is_around = [&](const TimedEvent& out, const TimedEvent& in) {
    if (out.start_ps > in.start_ps || end(out) < end(in)) return false;
    const bool equal = out.start_ps == in.start_ps && end(out) == end(in);
    return equal ? out.row < in.row : true;
  };
  std::vector<int64_t> exclusive;
  for (const TimedEvent& event : events) {
    Bits within(kTimes);
    for (const TimedEvent& other : events) {
      if (!is_around(event, other)) continue;
      for (int64_t at = other.start_ps; at < end(other); ++at)
        within[static_cast<size_t>(at)] = true;
    }
    exclusive.push_back(event.duration_ps - std::count(within.begin(), within.end(), true));
  }
  return exclusive;
}

// Calls within calls, as on a thread; lengths of 0 among them.
void AddCalls(int64_t start, int64_t end, RandomIntervals* random, std::vector<TimedEvent>* out) {
  while (start < end) {
    const int64_t from = start + random->Below(3), to = from + random->Below(end - start + 1);
    if (to > end) return;
    out->push_back({static_cast<uint32_t>(out->size()), from, to - from});
    if (to - from < end - start || random->Below(3) == 0) AddCalls(from, to, random, out);
    start = to + 1;
  }
}

TEST_CASE("self time of nested events is the time in which no enclosed event runs") {
  RandomIntervals random;
  for (int round = 0; round < 3000; ++round) {
    INFO("round " << round);
    std::vector<TimedEvent> events;
    AddCalls(0, kTimes, &random, &events);
    MeasureSelfTimes(&events);
    std::vector<int64_t> self_ps;
    for (const TimedEvent& event : events) self_ps.push_back(event.self_ps);
    REQUIRE(self_ps == ExclusiveOf(events));
  }
}

TEST_CASE("overlapping siblings count once in their parent's self time") {
  std::vector<TimedEvent> events = {{0, 0, 10}, {1, 1, 4}, {2, 3, 5}};
  MeasureSelfTimes(&events);
  CHECK(events[0].self_ps == 3);
  CHECK(events[1].self_ps == 4);
}

}  // namespace
}  // namespace tfprof::interval_set_test
