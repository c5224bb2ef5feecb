// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/session.h"
#include "core/base/sink.h"
#include "views/view.h"

// Rows that are alike but for a number stand as one (core/report/fold.h): which answers do that,
// and the words that show the last one anew, unfolded and folded again.

namespace tfprof {

// Whether answers fold where nobody said so: tables for people do.
bool FoldsByItself(const Session& session, const Display& display);

// The table of which `unfold` shows rows; null: there is none.
const Table* FoldedTable(const Session& session);

// The names of the folded rows of the last answer.
std::vector<std::string> FoldedRowNames(const Session& session);

// `line.words[0]` is the command. They ask the last question again with another option; `undo`
// goes back to the answer before. Errors: usage, there is no such answer or row.
Result<int> RunFold(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunUnfold(Session& session, const CommandLine& line, std::string_view place, Sink& out);

}  // namespace tfprof
