// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "views/diff/judging.h"

// The measures that the two profiles of a diff have at all.

namespace tfprof {

// For each side, by measure: true if any row has it, whatever the query leaves out.
struct SidesTell {
  std::array<bool, kMeasures> before{}, after{};

  bool Has(bool base, Measure measure) const {
    return (base ? before : after)[static_cast<size_t>(measure)];
  }

  // True if only one side has it: then there is nothing to compare with, which is not a change.
  bool OneAlone(Measure measure) const { return Has(true, measure) != Has(false, measure); }
};

// Errors: those of RowsOfSide.
Result<SidesTell> WhatSidesTell(const Comparing& sides, std::string_view view,
                                const SideRows& before, const SideRows& after, Context& context);

// Adds a note if one side lacks some of `measures` that the other one has.
void NoteUntold(const SidesTell& tell, const std::vector<Measure>& measures, Report* report);

}  // namespace tfprof
