// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/base/arith.h"
#include "core/base/context.h"
#include "views/diff/side.h"

// The steps of both sides, which are what diff is about.

namespace tfprof {

struct StepMeans {
  int64_t before_ps = kNoInt, after_ps = kNoInt;  // kNoInt: no step has a time
  double p = kNoReal;                             // NaN: too few steps
};

// Returns the mean steps, and the p of Mann and Whitney of all of them. Steps of a trace, marked or
// inferred, have their wall time, from the start of one to that of the next (LastUntilNext); of two
// whole traces, those that `summary` tells, without a first one that warms up. By the original
// accounting and in other profiles they have their own duration.
Result<StepMeans> MeansOfSteps(const Side& before, const Side& after, Context& context);

}  // namespace tfprof
