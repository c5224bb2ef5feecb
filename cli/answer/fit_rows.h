// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/base/context.h"
#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "emitters/emitter.h"

// Fits the number of rows of an answer to the screen.

namespace tfprof {

// The max rows per table with which all human-readable tables together have `most` rows; small
// tables leave room for the others. Never less than min(least, most), however many tables there
// are.
constexpr int64_t kFewRows = 10;
int64_t RowsOfEach(const Report& report, const Display& display, int64_t most,
                   int64_t least = kFewRows);

// Cuts more rows of `report`, refined for a screen of `lines`, if the output of `emitter` would be
// longer: headings, facts and notes take room, too. Leaves the report unchanged if so few rows
// would remain that a pager is better. Errors: those of the emitter.
Result<void> FitLines(const Query& query, const Emitter& emitter, const Style& style, int64_t lines,
                      Report* report, Context& context);

}  // namespace tfprof
