// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "cli/shell/session.h"

// Rows that differ only in a number are folded into one (core/report/fold.h). Decides which answers
// fold, and runs the commands that show the last answer again, unfolded or folded.

namespace tfprof {

// Returns true if answers fold by default: human-readable tables do.
bool FoldsByItself(const Session& session, const Display& display);

// The table whose rows `unfold` shows; null: there is none.
const Table* FoldedTable(const Session& session);

// The names of the folded rows of the last answer.
std::vector<std::string> FoldedRowNames(const Session& session);

// Both repeat the last query with another option; `undo` returns to the previous answer. Errors:
// usage, there is no such answer or row.
ShellRun RunFold, RunUnfold;

}  // namespace tfprof
