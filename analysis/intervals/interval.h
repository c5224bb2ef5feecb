// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "core/base/arith.h"

// Half-open intervals of time, in ps. All lengths saturate.

namespace tfprof {

struct Interval {
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  bool operator==(const Interval&) const = default;
};

inline int64_t SpanOf(int64_t start_ps, int64_t end_ps) {
  int64_t span = 0;
  return __builtin_sub_overflow(end_ps, start_ps, &span) ? kMaxPs : span;
}

// Adds to `sum_ps` the part of an interval that lies at or after `until_ps`, the end of the union
// of the earlier intervals: overlapping time counts once. An empty interval moves `until_ps`, too.
// REQUIRES: calls in order of start.
inline void ExtendUnion(int64_t start_ps, int64_t end_ps, int64_t* until_ps, int64_t* sum_ps) {
  start_ps = std::max(start_ps, *until_ps);
  if (end_ps < start_ps) return;
  *sum_ps = SaturatingAdd(*sum_ps, SpanOf(start_ps, end_ps));
  *until_ps = end_ps;
}

}  // namespace tfprof
