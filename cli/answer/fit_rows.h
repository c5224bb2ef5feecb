// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/base/context.h"
#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "emitters/emitter.h"

// How many rows of an answer a screen has room for.

namespace tfprof {

// So many rows of each table that all tables for people have `most` together: small ones leave room
// to the others. No fewer than `least`, or `most`, however many tables there are.
constexpr int64_t kFewRows = 10;
int64_t RowsOfEach(const Report& report, const Display& display, int64_t most,
                   int64_t least = kFewRows);

// Cuts more rows of `report`, refined for a screen of `lines`, where it would be longer as
// `emitter` writes it: headings, facts and notes take room, too. It stays as it is where so few
// rows would be left that it is better read in a pager. Errors: those of the emitter.
Result<void> FitLines(const Query& query, const Emitter& emitter, const Style& style, int64_t lines,
                      Report* report, Context& context);

}  // namespace tfprof
