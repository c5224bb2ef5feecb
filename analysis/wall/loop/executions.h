// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/intervals/interval_set.h"
#include "analysis/wall/loop/callbacks.h"
#include "core/store/store.h"

namespace tfprof {

// One execution of a compiled program on the threads of a host: from the start of its first
// instruction to the end of its last one. Within it, gaps are the runtime's, not idle time of the
// program.
struct HostExecution {
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  std::string_view program;  // its name, as recorded
  int64_t instructions = 0;  // events
  int64_t sum_ps = 0;        // sum of their durations
};

struct HostExecutions {
  IndexPtr<DetailColumn> programs;        // has the texts of HostExecution::program
  std::vector<HostExecution> executions;  // by start
  Callbacks callbacks;                    // of instructions, or of operations
  std::vector<Interval> communication;    // collectives while no other instruction runs
  uint32_t collective_row = kNoRow;       // one of them
};

// Finds the executions on a host that recorded no devices. Cost: one pass over the events with
// instructions. Errors: cancelled; those of Indexes::Details.
Result<HostExecutions> ExecutionsOnHost(const Store& store, const Indexes& indexes,
                                        ProcessId process, Context& context);

// Returns a row of a collective that threads of the host make themselves; kNoRow: there is none.
uint32_t CollectiveOn(const Store& store, const Process& host);

}  // namespace tfprof
