// SPDX-License-Identifier: Apache-2.0
#include "analysis/intervals/span_statistics.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

namespace tfprof::span_statistics_test {
namespace {

struct Span {
  int64_t ps;
  int64_t SpanPs() const { return ps; }
};

std::vector<Span> Spans(std::initializer_list<int64_t> lengths) {
  std::vector<Span> spans;
  for (const int64_t ps : lengths) spans.push_back({ps});
  return spans;
}

TEST_CASE("spans without a time do not count") {
  const SpanStatistics spans = StatisticsOf(Spans({kNoInt, 30, kNoInt, 10, 20, 40}));
  CHECK(spans.count == 4);
  CHECK(spans.mean_ps == 25);
  CHECK(spans.shortest_ps == 10);
  CHECK(spans.median_ps == 25);  // the mean of the two in the middle
  CHECK(spans.longest_ps == 40);
  CHECK(spans.PercentOfMedian(30) == 120);
  CHECK(std::isnan(spans.PercentOfMedian(kNoInt)));
  CHECK(StatisticsOf(Spans({40, 10, 20})).median_ps == 20);
  CHECK(StatisticsOf(Spans({1, 4})).median_ps == 2);
  CHECK(StatisticsOf(Spans({kMaxPs, kMaxPs - 4})).median_ps == kMaxPs - 2);
  const SpanStatistics none = StatisticsOf(Spans({kNoInt}));
  CHECK(none.count == 0);
  CHECK(none.median_ps == kNoInt);
  CHECK_FALSE(none.IsOutlier(1));
}

TEST_CASE("an outlier is far above the median, by the spread of the others and by a fifth") {
  const SpanStatistics wide = StatisticsOf(Spans({100, 80, 120, 140, 60, 250}));
  CHECK(wide.median_ps == 110);  // distances 10 10 30 30 50 140
  CHECK_FALSE(wide.IsOutlier(180));
  CHECK(wide.IsOutlier(250));
  CHECK_FALSE(wide.IsOutlier(1));  // short ones harm nobody
  const SpanStatistics equal = StatisticsOf(Spans({100, 100, 100, 100, 119, 121}));
  CHECK_FALSE(equal.IsOutlier(119));
  CHECK(equal.IsOutlier(121));
}

TEST_CASE("of fewer than four spans none is an outlier, and no span is too long") {
  CHECK_FALSE(StatisticsOf(Spans({1, 1, 1000})).IsOutlier(1000));
  const SpanStatistics longest = StatisticsOf(Spans({kMaxPs, kMaxPs, kMaxPs, kMaxPs}));
  CHECK(longest.median_ps == kMaxPs);
  CHECK(StatisticsOf(Spans({0, 0, 0, 0})).median_ps == 0);
  CHECK(std::isnan(StatisticsOf(Spans({0, 0, 0, 0})).PercentOfMedian(0)));
}

}  // namespace
}  // namespace tfprof::span_statistics_test
