// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "core/base/arith.h"
#include "core/store/store.h"

namespace tfprof {

// Wall time in us, to align files; NaN: unknown. A double has a precision of about a quarter of a
// microsecond for today's times.
inline double WallMicros(const Store& store, int64_t time_ps) {
  if (time_ps == kNoTime) return kNoReal;
  return static_cast<double>(store.epoch_ns) / 1e3 + static_cast<double>(time_ps) / 1e6;
}

// Wall time in integer us, with each part truncated separately, as in the original.
inline int64_t IntegerWallMicros(const Store& store, int64_t time_ps) {
  return WrapAdd(store.epoch_ns / kNsPerUs, time_ps / kPsPerUs);
}

// Returns the earliest start of all lanes; kNoTime: nothing is placed.
inline int64_t EarliestStart(const Store& store) {
  int64_t first_ps = kNoTime;
  for (const Lane& lane : store.lanes) {
    if (lane.unplaced == lane.rows.count) continue;
    const int64_t start_ps = store.events.start_ps[lane.rows.first + lane.unplaced];
    first_ps = first_ps == kNoTime ? start_ps : std::min(first_ps, start_ps);
  }
  return first_ps;
}

// Returns the origin of displayed times.
inline int64_t FirstStart(const Store& store) {
  const int64_t first_ps = EarliestStart(store);
  return first_ps == kNoTime ? 0 : first_ps;
}

// Returns the time since then; kNoInt: unknown.
inline int64_t SinceFirst(int64_t first_ps, int64_t time_ps) {
  return time_ps == kNoTime ? kNoInt : SaturatingAdd(time_ps, -first_ps);
}

}  // namespace tfprof
