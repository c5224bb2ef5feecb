// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/arith.h"
#include "core/base/sorting.h"

namespace tfprof {

// Statistics of the spans of steps; steps without placed events do not count.
struct SpanStatistics {
  int64_t count = 0;  // 0: the other fields are unset
  int64_t mean_ps = kNoInt;
  int64_t shortest_ps = kNoInt;
  int64_t longest_ps = kNoInt;
  int64_t median_ps = kNoInt;
  int64_t p95_ps = kNoInt;
  // Longer spans are outliers: more than three standard deviations above the median (estimated from
  // the median distance to the median), and more than a fifth above it. kNoInt: there are fewer
  // than four spans.
  int64_t outlier_threshold_ps = kNoInt;

  bool IsOutlier(int64_t span_ps) const {
    return span_ps != kNoInt && outlier_threshold_ps != kNoInt && span_ps > outlier_threshold_ps;
  }
  // NaN: unknown.
  double PercentOfMedian(int64_t span_ps) const {
    const bool known = span_ps != kNoInt && median_ps > 0;
    return known ? 100 * static_cast<double>(span_ps) / static_cast<double>(median_ps) : kNoReal;
  }
};

inline int64_t OutlierThreshold(const std::vector<int64_t>& spans_ps, int64_t median_ps) {
  constexpr size_t kMinSpans = 4;
  constexpr double kDeviations = 3, kPerMedianDistance = 1.4826, kMinExcess = 0.2;
  if (spans_ps.size() < kMinSpans) return kNoInt;
  std::vector<int64_t> distances_ps;
  for (const int64_t span_ps : spans_ps) {
    distances_ps.push_back(span_ps > median_ps ? span_ps - median_ps : median_ps - span_ps);
  }
  const auto distance_ps = static_cast<double>(Median(std::move(distances_ps)));
  const auto median = static_cast<double>(median_ps);
  const double excess_ps =
      std::max(kDeviations * kPerMedianDistance * distance_ps, kMinExcess * median);
  return static_cast<int64_t>(std::min(median + excess_ps, static_cast<double>(kMaxPs / 2)));
}

// `rows`: structs with SpanPs(), which is kNoInt if nothing is placed.
template <class Rows>
SpanStatistics StatisticsOf(const Rows& rows) {
  SpanStatistics found;
  __extension__ __int128 sum = 0;
  std::vector<int64_t> spans_ps;
  for (const auto& row : rows) {
    const int64_t span_ps = row.SpanPs();
    if (span_ps == kNoInt) continue;
    sum += span_ps;
    found.shortest_ps = found.count == 0 ? span_ps : std::min(found.shortest_ps, span_ps);
    found.longest_ps = found.count == 0 ? span_ps : std::max(found.longest_ps, span_ps);
    ++found.count;
    spans_ps.push_back(span_ps);
  }
  if (found.count == 0) return found;
  found.mean_ps = static_cast<int64_t>(sum / found.count);
  found.median_ps = Median(spans_ps);
  found.p95_ps = Percentile(std::span(spans_ps), 95);
  found.outlier_threshold_ps = OutlierThreshold(spans_ps, found.median_ps);
  return found;
}

}  // namespace tfprof
