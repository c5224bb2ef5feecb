// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "core/base/arith.h"
#include "core/store/store.h"

namespace tfprof {

// Wall time in us, for programs that put files next to each other; NaN: not known. A double keeps
// about a quarter of a microsecond of today's times.
inline double WallMicros(const Store& store, int64_t time_ps) {
  if (time_ps == kNoTime) return kNoReal;
  return static_cast<double>(store.epoch_ns) / 1e3 + static_cast<double>(time_ps) / 1e6;
}

// The same in whole us, each part cut off on its own, as the original does.
inline int64_t WholeWallMicros(const Store& store, int64_t time_ps) {
  return WrapAdd(store.epoch_ns / kNsPerUs, time_ps / kPsPerUs);
}

// The earliest start of all lanes, from which people are told times; 0 where nothing is placed.
inline int64_t FirstStart(const Store& store) {
  int64_t first_ps = kNoTime;
  for (const Lane& lane : store.lanes) {
    if (lane.unplaced == lane.rows.count) continue;
    const int64_t start_ps = store.events.start_ps[lane.rows.first + lane.unplaced];
    first_ps = first_ps == kNoTime ? start_ps : std::min(first_ps, start_ps);
  }
  return first_ps == kNoTime ? 0 : first_ps;
}

// Time since then; kNoInt: not known.
inline int64_t SinceFirst(int64_t first_ps, int64_t time_ps) {
  return time_ps == kNoTime ? kNoInt : SaturatingAdd(time_ps, -first_ps);
}

}  // namespace tfprof
