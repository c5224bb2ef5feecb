// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "views/diff/judging.h"

// What the two profiles that diff compares tell at all.

namespace tfprof {

// Of each side, by measure: whether anything of it has that, whatever the question leaves out.
struct SidesTell {
  std::array<bool, kMeasures> before{}, after{};

  bool Has(bool base, Measure measure) const {
    return (base ? before : after)[static_cast<size_t>(measure)];
  }

  // Whether one side alone has it: then it is compared with nothing, which is no change.
  bool OneAlone(Measure measure) const { return Has(true, measure) != Has(false, measure); }
};

// Errors: as RowsOfSide.
Result<SidesTell> WhatSidesTell(const Comparing& sides, std::string_view view,
                                const SideRows& before, const SideRows& after, Context& context);

// Adds a note where one side lacks some of `measures` that the other one has.
void NoteUntold(const SidesTell& tell, const std::vector<Measure>& measures, Report* report);

}  // namespace tfprof
