// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "analysis/intervals/interval.h"

namespace tfprof {

// Two intervals between starts may be chance; fewer are no repetition.
inline constexpr size_t kMinRepeats = 3;

// A program or function that ran, or was called.
struct Run {
  std::string_view name;
  int64_t start_ps;
};

// Returns true if half of the lengths between the starts differ by more than the median.
bool Vary(std::span<const Interval> steps);

// The last runs, whose names repeat with a period.
struct Cycle {
  size_t first = 0;   // the first of them
  size_t period = 0;  // 0: nothing repeats
};

// Returns the longest end of the runs, at least half of them, that consists of kMinRepeats
// repetitions or more, the last of which may be cut. Linear.
Cycle CycleOf(std::span<const Run> runs);

}  // namespace tfprof
