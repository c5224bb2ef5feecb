// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/core.h>

#include <cstdio>
#include <ctime>

#include "core/base/result.h"

// Shared parts of benchmark programs: clocks, and exit.

namespace tfprof {

inline double SecondsOf(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// CPU time of this process: waiting for other processes does not count.
inline double CpuSeconds() { return SecondsOf(CLOCK_PROCESS_CPUTIME_ID); }
inline double WallSeconds() { return SecondsOf(CLOCK_MONOTONIC); }

// The exit status of a program; prints an error to stderr.
inline int Ended(const Result<void>& done) {
  if (done) return 0;
  fmt::print(stderr, "{} {}\n", done.error().where, done.error().what);
  return ExitStatus(done.error());
}

}  // namespace tfprof
