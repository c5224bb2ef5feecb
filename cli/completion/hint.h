// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "cli/shell/session.h"

// The likely continuation of the line being typed: shown in gray after the cursor.

namespace tfprof {

// The likely continuation of `line`: the rest of the newest history line that begins with it, else
// of the likeliest word (LikelyRest). Empty: none is likely. It runs at every key, so it returns as
// soon as `context` is cancelled.
std::string HintFor(std::string_view line, const Session& session, Context& context);

// The part of `hint` that fits after `line` on a screen of that many columns, where `line` follows
// `prompt` and may wrap. Empty: no room, or a letter has unknown width.
std::string FittingHint(const std::string& prompt, const std::string& line, const std::string& hint,
                        int columns);

// The number of rows between the beginning of the line and the cursor at its end.
int RowsAbove(const std::string& prompt, const std::string& line, int columns);

}  // namespace tfprof
