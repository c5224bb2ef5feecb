// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "emitters/page/trace/page_trace.h"

namespace tfprof {

// What ran in a part of the trace under one name, in one group of tracks.
struct RanInRange {
  uint32_t group = 0;
  uint32_t name = 0;
  int64_t count = 0;
  int64_t time = 0;     // of the parts in the range
  int64_t longest = 0;  // also outside of it
};

// Returns the sums by name, the largest time first. Error: cancelled.
Result<std::vector<RanInRange>> RanIn(const PageTrace& trace, int64_t from, int64_t to,
                                      Context& context);

}  // namespace tfprof
