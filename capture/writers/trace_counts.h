// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tfprof::capture {

// What a reader of a trace must know about what is not in it.
struct TraceCounts {
  uint64_t zero_time = 0;      // device work without times
  uint64_t out_of_window = 0;  // dated before the process recorded anything
  uint64_t unattributed = 0;   // device work whose call was not recorded
  uint64_t unfinished = 0;     // ranges that were open at the end
  uint64_t unmatched = 0;      // ends of ranges without a start
};

}  // namespace tfprof::capture
