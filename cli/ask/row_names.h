// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/session.h"

namespace tfprof {

// A scope as users write it from the current scope: `conv1`, `/loss`, `../../dense`, `conv1/..`.
struct ScopePath {
  std::string from;       // the scope that it starts in; empty: the whole profile
  std::string rest;       // the path below `from`; empty: `from` itself
  bool anywhere = false;  // without / and ..: `rest` may also start at the whole profile

  std::string Full() const;  // from the whole profile; empty: all of it
};

// Reads `path` from the scope `under`. As in a shell, `.` is the current scope, .. at the top stays
// there, and several slashes are one. A slash at the end stays in `rest`.
ScopePath ReadScopePath(std::string_view path, std::string under);

// Returns the scope at `path`. Errors: usage, nothing has that name, or it is no scope; cancelled.
Result<std::string> ScopeAt(Session& session, const ScopePath& path);

// Commands accept rows of the last answer with named rows in place of names: by number, and folded
// rows (core/report/fold.h) also by the folded name.

// The column of the first table that names its rows; null: none.
const ReportColumn* NameColumn(const Report& report);

// The row of `report` whose number is `word`; none: not a number. Error: usage, there is no such
// row.
Result<std::optional<size_t>> NumberedRow(const Report& report, const CommandLine& line,
                                          const Word& word);

// The names that `word` denotes: the name in the row of that number, the names of all rows of a
// folded row, or `word` itself. Error: usage, there is no such row.
Result<std::vector<std::string>> NamesOrRow(const Session& session, const CommandLine& line,
                                            const Word& word);

// Returns true if a row of the last answer with names has this name and no other list was shown
// since.
bool IsRowOfLast(const Session& session, std::string_view name);

// As NamesOrRow, for a single name. Error: usage, also if there are several names.
Result<std::string> NameOrRow(const Session& session, const CommandLine& line, const Word& word);

// The error for a `word` that denotes the root of a tree where a part of the profile is needed.
Failure WholeProfile(const CommandLine& line, const Word& word, std::string hint);

// The scope before the last `cd`. Error: usage, there was none.
Result<std::string> ScopeBefore(const Session& session, const CommandLine& line, const Word& word);

// A path (cli/ask/row_names.h) relative to the scope `under`, or the number of a row. The name in
// a row is a path from the whole profile; the root denotes the whole profile.
Result<ScopePath> PathOrRow(const Session& session, const CommandLine& line, const Word& word,
                            const std::string& under);

}  // namespace tfprof
