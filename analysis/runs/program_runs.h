// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// The executions of one compiled program on the selected devices and in the selected steps.
struct ProgramRun {
  uint64_t program_id = 0;
  int64_t devices = 0;      // that ran it; hosts, where it ran on threads
  int64_t runs = kNoInt;    // over all of them; kNoInt: unknown
  int64_t sum_ps = kNoInt;  // of the durations of all executions; kNoInt: unknown
  int64_t min_ps = kNoInt;  // likewise
  int64_t max_ps = kNoInt;
  std::vector<int64_t> durations_ps = {};  // of single executions; empty: unknown

  double MeanPs() const {
    const bool known = sum_ps != kNoInt && runs > 0;
    return known ? static_cast<double>(sum_ps) / static_cast<double>(runs) : kNoReal;
  }
};

// An index: the programs that ran, by number. An execution lasts, on a TPU, as long as its event on
// the line of programs; on a GPU, from its first to its last kernel; on threads, from its first to
// its last instruction. Error: cancelled; usage, no such step.
struct ProgramRuns {
  using Key = PlaceFilter;
  using Value = std::vector<ProgramRun>;
  static Result<Value> Build(const Indexes& indexes, const PlaceFilter& place, Context& context);
};

// Returns null if the program did not run.
const ProgramRun* FindRun(const std::vector<ProgramRun>& runs, uint64_t program_id);

}  // namespace tfprof
