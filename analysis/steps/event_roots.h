// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/base/result.h"
#include "core/store/store.h"

// The events from which groups begin: those that the recorder marks with a level, step markers of
// old recorders, and runs of functions that no other root reaches.

namespace tfprof {

class Indexes;

struct EventRoot {
  uint32_t row = 0;
  int64_t level = 0;       // 0: it is one only if no other reaches it
  bool is_marker = false;  // it marks a step of the program
};

// Of the processes of a host, in the order in which they take what belongs to them: by level, the
// highest first, then by start, then the longest. Errors: cancelled, a damaged file.
Result<std::vector<EventRoot>> FindRoots(const Store& store, const Indexes& indexes,
                                         std::span<const ProcessId> processes, Context& context);

// All rows of a process, those of lane after lane.
Range RowsOf(const Store& store, const Process& process);

inline bool Contains(Range rows, uint32_t row) {
  return row >= rows.first && row - rows.first < rows.count;
}

}  // namespace tfprof
