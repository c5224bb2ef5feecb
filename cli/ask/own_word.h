// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "views/view.h"

namespace tfprof {

// Reads the word that a view takes beside options (View::subject) into the query: how many rows,
// what to look at, what to compare with. Errors: usage.
Result<void> TakeOwnWord(const Session& session, const View& view, const CommandLine& line,
                         ParsedOptions* parsed);

// Opens what diff compares with: the word after it, or what was named before. Errors: as Load.
Result<void> TakeBase(Session& session, const View& view, Query* query);

}  // namespace tfprof
