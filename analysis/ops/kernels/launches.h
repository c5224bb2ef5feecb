// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/chosen_events.h"
#include "analysis/durations.h"
#include "analysis/ops/event_ops.h"
#include "analysis/ops/op_times.h"
#include "core/base/arith.h"
#include "core/query/query.h"

namespace tfprof {

// Launches of one kernel by one operation with equal parameters in one process.
struct LaunchGroup {
  int64_t occurrences = 0;
  int64_t total_ps = 0;  // saturated
  int64_t min_ps = 0;
  int64_t max_ps = 0;
  LabelId label;
  uint32_t op = EventOps::kNone;  // index into Launches::ops
  bool is_product = false;        // an Einsum that is a matrix product
  EventId first;
  int64_t registers = kNoInt;  // kNoInt: not recorded; likewise the others; no kernel has 0
  int64_t shared_bytes = kNoInt;
  int64_t shmem_bytes = kNoInt;    // of these, the part that xprof knows
  double occupancy_pct = kNoReal;  // no kernel has 0
  NameId grid;                     // in Launches::grids; none: not recorded
  NameId block;                    // in Launches::blocks
};

struct Launches {
  std::vector<LaunchGroup> groups;     // by `first`
  std::vector<RowDuration> durations;  // of single launches, by position in `groups`, if asked for
  EventOps ops;
  DetailTexts grids, blocks;  // "16,4,1"
};

// Groups the kernels of one GPU process. The text of the detail `launch` identifies equal launches;
// its parameters are parsed once per group. As in xprof, the original's accounting has no kernels
// shorter than a nanosecond. Errors: cancelled.
Result<Launches> GroupLaunches(const Store& store, const Indexes& indexes, ProcessId process,
                               OpAccounting accounting, const ChosenEvents& chosen, bool durations,
                               Context& context);

}  // namespace tfprof
