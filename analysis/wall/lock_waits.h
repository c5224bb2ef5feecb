// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/intervals/interval.h"
#include "analysis/wall/loop/driving_thread.h"
#include "core/store/store.h"

// Waits for locks that no event covers. Python records the end of `with lock:` and not its
// beginning, so the wait is a gap before that end.

namespace tfprof {

struct LockRelease {
  int64_t end_ps = 0;
  LaneId lane;
};

// Returns when the threads of a host but one release locks, by time.
std::vector<LockRelease> LockReleases(const Store& store, const Process& host, LaneId but);

struct LockWait {
  Interval when;
  uint32_t row = kNoRow;  // the event around it: the function, if it was recorded
};

// Returns the gaps of the thread that end with a release by another thread, by start. A gap may
// also be code that runs while others use a lock. Then releases fall anywhere into it, the first
// one on average into the first half: the gaps of a function are waits only if nearly all of their
// time is before the first release.
std::vector<LockWait> LockWaits(const Store& store, const DrivingThread& thread);

}  // namespace tfprof
