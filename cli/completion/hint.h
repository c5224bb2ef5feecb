// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "cli/shell/session.h"

// What is likely to be typed next: shown in grey behind the cursor while a line is typed.

namespace tfprof {

// What `line` probably goes on with: the rest of the newest line of the history that begins with
// it, else of the likeliest word (LikelyRest). Empty: nothing is likely. It is asked at every key:
// once `context` is cancelled it is not worth the wait.
std::string HintFor(std::string_view line, const Session& session, Context& context);

// As much of `hint` as fits behind `line` on a screen of so many columns, where the line stands
// behind `prompt` and may go on in the next rows. Empty: there is no room, or a letter in one of
// them has no width that is known.
std::string FittingHint(const std::string& prompt, const std::string& line, const std::string& hint,
                        int columns);

// How many rows above the cursor the line began that ends at it.
int RowsAbove(const std::string& prompt, const std::string& line, int columns);

}  // namespace tfprof
