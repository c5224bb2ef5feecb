// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/wall/times.h"
#include "core/store/store.h"

namespace tfprof {

// A shorter operation is small: to start it from Python takes a time of the same order. Chosen, not
// measured.
inline constexpr int64_t kStartingPs = 20 * kPsPerUs;

// Operations that the driving thread of a host starts one by one, from Python or within others.
// Where it recorded none, and no calls of programs, what it launches on devices counts as one each.
struct SmallOps {
  bool are_launches = false;
  int64_t count = 0;  // within the window of the wall time
  // Without devices, the time of operations shorter than kStartingPs, and of the gaps between two
  // of them that are as short. With devices, the time in which they are idle while operations
  // start, also in functions of Python and, between launches, where nothing is recorded.
  int64_t ps = 0;
  std::vector<int64_t> in_parts;  // with devices: by part of the wall time, the latter two
  // The functions and regions of the program that start them, and the operations, by the number of
  // operations, descending.
  std::vector<NamedAmount> places, ops;
};

// Counts innermost operations that neither compile nor make input. Cost: two passes over the events
// of the thread.
SmallOps SmallOpsOf(const Store& store, const HostWall& wall);

}  // namespace tfprof
