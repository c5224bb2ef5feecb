// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "cli/ask/command.h"
#include "core/base/result.h"
#include "core/report/report.h"

// Columns of the table that was shown last, as people call them.

namespace tfprof {

// What is typed behind the command: a heading may be several words. REQUIRES: there is a word.
Word NameTyped(const CommandLine& line);

// The column of that id or heading, of tables that people see, then of the others; last, in any
// case of letters. Null: there is none.
const ReportColumn* FindColumn(const Report& report, std::string_view name);

// Errors: usage. No table was shown yet; `report` has no column that is called as typed.
Failure NothingYet();
Failure NoColumn(const CommandLine& line, const Report& report, std::string_view why);

}  // namespace tfprof
