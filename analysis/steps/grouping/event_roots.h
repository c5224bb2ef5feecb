// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/base/result.h"
#include "core/store/store.h"

// Root events of groups: events with a recorded level, step markers of old recorders, and runs of
// functions that no other root reaches.

namespace tfprof {

class Indexes;

struct EventRoot {
  uint32_t row = 0;
  int64_t level = 0;       // 0: a root only if no other root reaches it
  bool is_marker = false;  // it marks a step of the program
};

// Returns the roots in the processes of a host, in the order in which they claim events: by level,
// descending, then by start, then longer ones first. Errors: cancelled, a damaged file.
Result<std::vector<EventRoot>> FindRoots(const Store& store, const Indexes& indexes,
                                         std::span<const ProcessId> processes, Context& context);

// Returns all rows of a process, lane after lane.
Range RowsOf(const Store& store, const Process& process);

inline bool Contains(Range rows, uint32_t row) {
  return row >= rows.first && row - rows.first < rows.count;
}

}  // namespace tfprof
