// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "emitters/emitter.h"

// Turns an answer into bytes; the only way to do so.

namespace tfprof {

// Row limit for formats that need the whole table in memory for layout.
constexpr size_t kMostRowsLaidOut = 10'000;

// Checks that the report has the part that the emitter needs. Unless the emitter takes rows in
// blocks, moves the first kMostRowsLaidOut of them into the table; a note reports when there are
// more. Errors: usage (the view has no such part), those of the blocks.
Result<void> PrepareFor(const Emitter& emitter, Report* report, Context& context);

// PrepareFor, then Emitter::emit.
Result<void> Emit(const Emitter& emitter, Report report, const Query& query, const Style& style,
                  Sink& sink, Context& context);

}  // namespace tfprof
