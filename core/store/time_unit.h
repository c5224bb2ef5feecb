// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/arith.h"
#include "core/base/attributes.h"
#include "core/store/store.h"

// The unit of node times and their sums: Measure::micros and its parts. The original counts whole
// microseconds, and its results are divided and summed in that unit. A trace has picoseconds, which
// short kernels need.

namespace tfprof {

inline Unit TimeUnit(const Store& store) { return store.IsTrace() ? Unit::ps_as_us : Unit::us; }

inline int64_t TimesPerUs(const Store& store) { return kPsPerUs / store.TimeResolutionPs(); }

inline bool IsTime(Measure measure) {
  return measure == Measure::micros || measure == Measure::accelerator_micros ||
         measure == Measure::cpu_micros;
}

inline Unit UnitOf(const Store& store, Measure measure) {
  return IsTime(measure) ? TimeUnit(store) : Info(measure).unit;
}

}  // namespace tfprof
