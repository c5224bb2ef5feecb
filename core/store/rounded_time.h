// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "core/base/arith.h"
#include "core/store/store.h"

// The times of executions as the original counts them, in whole microseconds. A recorder rounds
// both ends of an execution down, so that its length is their difference. No execution is shorter
// than the resolution of its lane.

namespace tfprof {

// `ps` rounded down to whole microseconds. Time 0 of a TensorFlow profile is a whole microsecond.
inline int64_t RoundedPs(int64_t ps) {
  const int64_t rest = ps % kPsPerUs;
  return ps - rest - (rest < 0 ? kPsPerUs : 0);
}

inline int64_t RoundedStart(const Store& store, uint32_t row) {
  const int64_t start_ps = store.events.start_ps[row];
  return start_ps == kNoTime || !store.has_nanoseconds ? start_ps : RoundedPs(start_ps);
}

// The recorded length; 0 for an execution of less than a microsecond.
inline int64_t RoundedLength(const Store& store, uint32_t row) {
  const int64_t duration_ps = store.events.duration_ps[row];
  if (!store.has_nanoseconds || duration_ps == kMaxPs) return duration_ps;
  const int64_t start_ps = store.events.start_ps[row];
  if (start_ps == kNoTime) return RoundedPs(duration_ps);
  return RoundedPs(SaturatingAdd(start_ps, duration_ps)) - RoundedPs(start_ps);
}

// The time that a placed execution counts.
inline int64_t RoundedDuration(const Store& store, const Lane& lane, uint32_t row) {
  const int64_t length_ps = RoundedLength(store, row);
  return length_ps == 0 ? lane.tick_ps : length_ps;
}

}  // namespace tfprof
