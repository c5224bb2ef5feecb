// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/store/time_unit.h"
#include "views/diff/limits.h"
#include "views/diff/side.h"

// What -fail-if of diff makes of two profiles.

namespace tfprof {

struct Comparing {
  Side before, after;
  int64_t divide_before = 0, divide_after = 0;
  std::string over_other_places = {};  // OverOtherPlaces(): sums are no measure of a change

  // In the finer unit of the two.
  const Store& Finer() const {
    return TimesPerUs(*before.store) > 1 ? *before.store : *after.store;
  }
  int64_t PerUs() const { return TimesPerUs(Finer()); }
  Unit UnitOf(Measure measure) const { return tfprof::UnitOf(Finer(), measure); }
};

struct StepMeans {
  int64_t before_ps = kNoInt, after_ps = kNoInt;  // kNoInt: no step has a time
};

// Tells which limits are exceeded, which are not, and which cannot be judged since figures are
// added up over other numbers of hosts or devices: properties exceeded, kept and not_judged, lists
// of sentences; -n does not cut them as it does rows. Without limits nothing. Errors: usage, a
// limit that nothing could exceed; cancelled.
Result<void> JudgeLimits(const std::vector<DiffLimit>& limits, const Comparing& sides,
                         const StepMeans& steps, Report* report, Context& context);

}  // namespace tfprof
