// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/ask/scope_path.h"
#include "cli/shell/session.h"

// Rows of the last answer whose rows have names stand for these in commands: by their number, and
// folded ones (core/report/fold.h) also by what they are called.

namespace tfprof {

// The column of the first table that names its rows; null: none does.
const ReportColumn* NameColumn(const Report& report);

// The row of `report` that `word` is the number of; none: it is no number. Error: usage, there is
// no such row.
Result<std::optional<size_t>> NumberedRow(const Report& report, const CommandLine& line,
                                          const Word& word);

// What `word` stands for: the name in the row of that number, those of all rows that a folded one
// stands for, or `word` itself. Error: usage, there is no such row.
Result<std::vector<std::string>> NamesOrRow(const Session& session, const CommandLine& line,
                                            const Word& word);

// Whether a row of the last answer with names is called so, and nothing else was listed since.
bool IsRowOfLast(const Session& session, std::string_view name);

// The same where one name is needed. Error: usage, also where it stands for several.
Result<std::string> NameOrRow(const Session& session, const CommandLine& line, const Word& word);

// `word` stands for the root of a tree, where a part of the profile is asked for.
Failure WholeProfile(const CommandLine& line, const Word& word, std::string hint);

// The scope that was left by the last `cd`. Error: usage, there was none.
Result<std::string> ScopeBefore(const Session& session, const CommandLine& line, const Word& word);

// A path (cli/ask/scope_path.h) of somebody in the scope `under`, or the number of a row: its name
// is one from the whole profile on, the root's that of all of it.
Result<ScopePath> PathOrRow(const Session& session, const CommandLine& line, const Word& word,
                            const std::string& under);

}  // namespace tfprof
