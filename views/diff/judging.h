// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/store.h"
#include "views/diff/limits.h"
#include "views/diff/side.h"
#include "views/diff/step_means.h"

// Evaluates -fail-if of diff for two profiles.

namespace tfprof {

struct Comparison {
  Side before, after;
  SideScale scale_before = {}, scale_after = {};
  MeasureScale scale = {};             // of the values of both sides
  std::string over_other_places = {};  // DescribePlaceDifference(): the sums are not comparable
  int64_t damaged_programs = 0;        // of either side: operations may lack a counterpart
};

// Adds the limits that are exceeded, those that are kept, and those that cannot be judged because
// figures sum over different numbers of hosts or devices, a program is damaged, or a limit of p has
// too few steps: properties exceeded, kept, not_judged, not_judged_damaged and not_judged_steps,
// lists of sentences. -n does not cut
// them as it cuts rows. Does nothing without limits. Errors: usage, a limit that can never be
// exceeded; cancelled.
Result<void> JudgeLimits(const std::vector<DiffLimit>& limits, const Comparison& sides,
                         const StepMeans& steps, Report* report, Context& context);

// For each side, by measure: true if any row has it, whatever the query leaves out.
struct SideMeasures {
  std::array<bool, kMeasures> before{}, after{};

  bool Has(bool base, Measure measure) const {
    return (base ? before : after)[static_cast<size_t>(measure)];
  }

  // True if only one side has it: then there is nothing to compare with, which is not a change.
  bool OneAlone(Measure measure) const { return Has(true, measure) != Has(false, measure); }
};

// Errors: those of RowsOfSide.
Result<SideMeasures> FindSideMeasures(const Comparison& sides, std::string_view view,
                                      const SideRows& before, const SideRows& after,
                                      Context& context);

// Adds a note if one side lacks some of `measures` that the other one has.
void NoteUnrecorded(const SideMeasures& sides_have, const std::vector<Measure>& measures,
                    Report* report);

}  // namespace tfprof
