// SPDX-License-Identifier: Apache-2.0
#include "views/diff/measured.h"

#include <fmt/core.h>

namespace tfprof {
namespace {

using MeasuresOf = std::array<bool, kMeasures>;

void Look(const SideRows& side, MeasuresOf* told) {
  for (const auto& [key, row] : side.rows) {
    for (size_t i = 0; i < kMeasures; ++i) (*told)[i] |= row.values[i] != kNoInt;
  }
}

Result<void> LookAtAll(const Side& side, std::string_view view, int64_t per_us, MeasuresOf* told,
                       Context& context) {
  Query all;
  all.display.select = side.query.display.select;
  TFPROF_ASSIGN(const SideRows rows,
                RowsOfSide({side.store, side.indexes, all}, view, 1, per_us, context));
  Look(rows, told);
  return {};
}

}  // namespace

Result<SidesTell> WhatSidesTell(const Comparing& sides, std::string_view view,
                                const SideRows& before, const SideRows& after, Context& context) {
  SidesTell tell;
  Look(before, &tell.before);
  Look(after, &tell.after);
  if (tell.before == tell.after) return tell;
  TFPROF_TRY(LookAtAll(sides.before, view, sides.PerUs(), &tell.before, context));
  TFPROF_TRY(LookAtAll(sides.after, view, sides.PerUs(), &tell.after, context));
  return tell;
}

void NoteUntold(const SidesTell& tell, const std::vector<Measure>& measures, Report* report) {
  for (const bool base : {true, false}) {
    std::string untold;
    for (const Measure measure : measures) {
      if (!tell.OneAlone(measure) || tell.Has(base, measure)) continue;
      untold.append(untold.empty() ? "" : ", ").append(Info(measure).id);
    }
    if (untold.empty()) continue;
    report->notes.push_back(
        {fmt::format("no {} in {}: that of the other profile is compared with nothing", untold,
                     base ? "the base" : "this profile"),
         1, "", kNoInt});
  }
}

}  // namespace tfprof
