// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "emitters/emitter.h"

// From an answer to its bytes, the only way there is.

namespace tfprof {

// Of a table with more rows than anybody reads: it has to be kept whole to be laid out.
constexpr size_t kMostRowsLaidOut = 10'000;

// Checks that the report has the part that the emitter shows and, unless it takes rows in blocks,
// moves the first kMostRowsLaidOut of them into the table; a note says when there are more.
// Errors: usage (the view has no such part), those of the blocks.
Result<void> PrepareFor(const Emitter& emitter, Report* report, Context& context);

// PrepareFor, then Emitter::emit.
Result<void> Emit(const Emitter& emitter, Report report, const Query& query, const Style& style,
                  Sink& sink, Context& context);

}  // namespace tfprof
