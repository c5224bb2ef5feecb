// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "core/arith.h"

namespace tfprof {

// Of the spans of steps; those in which nothing is placed do not count.
struct SpanStatistics {
  int64_t count = 0;  // 0: the others say nothing
  int64_t mean_ps = kNoInt;
  int64_t shortest_ps = kNoInt;
  int64_t longest_ps = kNoInt;
};

// `rows`: structs with SpanPs(), kNoInt where nothing is placed.
template <class Rows>
SpanStatistics StatisticsOf(const Rows& rows) {
  SpanStatistics found;
  __extension__ __int128 sum = 0;
  for (const auto& row : rows) {
    const int64_t span_ps = row.SpanPs();
    if (span_ps == kNoInt) continue;
    sum += span_ps;
    found.shortest_ps = found.count == 0 ? span_ps : std::min(found.shortest_ps, span_ps);
    found.longest_ps = found.count == 0 ? span_ps : std::max(found.longest_ps, span_ps);
    ++found.count;
  }
  if (found.count > 0) found.mean_ps = static_cast<int64_t>(sum / found.count);
  return found;
}

}  // namespace tfprof
