// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/report/report.h"
#include "views/diff/judging.h"

namespace tfprof {

// Adds the first line of the answer, property `verdict`: whether limits are exceeded, and whether
// the profile is slower than the base, by its steps, else by the total time of the first table.
// If totals are not comparable, only by its steps. REQUIRES: the tables and limits of the report.
// Adds nothing if neither is known.
void AddVerdict(const StepMeans& steps, bool totals_are_comparable, Report* report);

}  // namespace tfprof
