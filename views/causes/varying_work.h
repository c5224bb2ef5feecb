// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "views/advice/checker.h"

namespace tfprof {

// Work of which some steps do more than others. The same work takes longer while other programs
// use the machine; that is none.
struct VaryingWork {
  std::string most;       // the program or function that varies most; empty: none
  int64_t excess_ps = 0;  // mean of the steps - their lower quartile, over all such work
};

// `steps`: of one host without devices. Programs vary by how often they run, with their mean
// duration; what the thread does beside them varies by its time. Errors: cancelled.
Result<VaryingWork> WorkThatVaries(const StepFacts& facts, std::span<const StepRow> steps);

}  // namespace tfprof
