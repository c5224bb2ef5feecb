// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "views/view.h"

namespace tfprof {

// Reads the argument of a view (View::subject) into the query: a row count, a subject, or a base to
// compare with. Errors: usage.
Result<void> TakeOwnWord(const Session& session, const View& view, const CommandLine& line,
                         ParsedOptions* parsed);

// Opens the base of diff: the word after it, or the base named before. Errors: as Load.
Result<void> TakeBase(Session& session, const View& view, Query* query);

}  // namespace tfprof
