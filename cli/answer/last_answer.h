// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "core/base/result.h"
#include "core/report/report.h"

namespace tfprof {

// Looks up columns of the table that was shown last by the names that users type.

// The words after the command: a heading may be several words. REQUIRES: there is a word.
Word NameTyped(const CommandLine& line);

// The column with that id or heading: human-readable tables first, then the others, then both
// without regard to case. Null: there is none.
const ReportColumn* FindColumn(const Report& report, std::string_view name);

// Errors: usage. No table was shown yet; `report` has no column of the typed name.
Failure NoAnswerYet();
Failure NoColumn(const CommandLine& line, const Report& report, std::string_view why);

// Commands about the table that was shown last.

// `last` repeats the last query with all rows. `hist COLUMN` shows the distribution of the values
// of a column over all rows. `explain [COLUMN]` describes one column or all columns, and the
// attributes of -select. Errors: usage.
ShellRun RunLast, RunHist, RunExplain;

}  // namespace tfprof
