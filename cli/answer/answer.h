// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "views/view.h"

namespace tfprof {

// Answers one command about the open profile: builds the query (cli/ask/question.h), refines,
// writes (cli/answer/destination.h), remembers. Returns 0, or the exit status of an error that
// was already reported (an invalid regular expression, with its empty answer in classic text).
// Errors: usage, unwritable, cancelled, and those of the view.
Result<int> AnswerLine(Session& session, const View& view, const CommandLine& line,
                       std::string_view place);

// The report of the tables that were shown last, with all rows and in no particular order. Rows in
// blocks stay in blocks for callers that need few columns. `picked`: the needed columns of the
// first table; empty: the columns of the last query. REQUIRES: session.last is not null. Errors: as
// AnswerLine.
Result<Report> WholeLastAnswer(Session& session, const std::vector<std::string>& picked,
                               Context& context);

}  // namespace tfprof
