// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask/command.h"
#include "cli/ask/question.h"
#include "cli/shell/session.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "emitters/emitter.h"
#include "views/view.h"

namespace tfprof {

// Answers one command about the open profile: builds the query (cli/ask/question.h), refines,
// writes (cli/answer/destination.h), remembers. Returns 0, or the exit status of an error that
// was already reported (an invalid regular expression, with its empty answer in classic text).
// Errors: usage, unwritable, cancelled, and those of the view.
Result<int> AnswerLine(Session& session, const View& view, const CommandLine& line,
                       std::string_view place);

// The two halves of AnswerLine. AskAbout resolves what `question` names in the open profile, in the
// base and among jobs; then its query is what Answer (views/answer.h) takes. WriteAnswers answers
// and writes. Errors: as AnswerLine.
Result<void> AskAbout(Session& session, const View& view, const CommandLine& line,
                      ParsedQuestion* question);
Result<int> WriteAnswers(Session& session, const View& view, const CommandLine& line,
                         ParsedQuestion question, std::string_view place);

// Error: no view has the name.
Result<const View*> ViewNamed(std::string_view name);

// The answer to a command, for programs.
struct Answered {
  Report report;
  Query query;
  std::string unread;  // a sentence about filters in force that the view ignores, or nothing
};

// Answers a command about the open profile; prints nothing. `most_rows`: of each table; -1: as the
// command says, of a format for machines all. Rows in blocks stay there. Errors: usage (no such
// view, a redirected answer, an invalid expression), and as AnswerLine.
Result<Answered> AnswerFor(Session& session, const CommandLine& line, int64_t most_rows,
                           Context& context);

// True if readers are shown changes only: not if they ask for a status.
bool HidesUnchanged(const View& view, const Query& query);

// The report of the tables that were shown last, with all rows and in no particular order. Rows in
// blocks stay in blocks for callers that need few columns. `picked`: the needed columns of the
// first table; empty: the columns of the last query. REQUIRES: session.last is not null. Errors: as
// AnswerLine.
Result<Report> UnlimitedLastAnswer(Session& session, const std::vector<std::string>& picked,
                                   Context& context);

// Explains why an answer has fewer rows than expected, for common mistakes: an expression of
// `query` that matches no whole name, or a device without events. One line each, Printable; empty:
// nothing to explain. Names are compared only if `report`, the answer to `query`, shows no row.
// Errors: those of the view.
Result<std::vector<std::string>> Unmatched(const Session& session, const View& view,
                                           const Query& query, const Report& report,
                                           Context& context);

// Fits the number of rows of an answer to the screen.

// The max rows per table with which all human-readable tables together have `max` rows; small
// tables leave room for the others. Never less than min(least, most), however many tables there
// are.
constexpr int64_t kFewRows = 10;
int64_t RowsOfEach(const Report& report, const Display& display, int64_t max,
                   int64_t min = kFewRows);

// Cuts more rows of `report`, refined for a screen of `lines`, if the output of `emitter` would be
// longer: headings, facts and notes take room, too. Leaves the report unchanged if so few rows
// would remain that a pager is better. Errors: those of the emitter.
Result<void> FitLines(const Query& query, const Emitter& emitter, const Style& style, int64_t lines,
                      Report* report, Context& context);

// Command-line checks that only `advise` and `-fail-if` need.

std::vector<std::string_view> CheckerNames();
std::vector<std::string_view> LimitNames();  // for -fail-if: severities, then checkers

// Checks that -checker and -fail-if name existing checkers and severities, that the answer can have
// findings for each limit, and that classic text has a section for each checker. Error: usage.
Result<void> CheckAdvice(const Query& query);

// Error: limit, if diff reports an exceeded limit, or if advise has a finding whose severity is as
// bad as one in -fail-if or whose checker -fail-if names. `report` must have all its findings.
Result<void> CheckFailIf(const Report& report, const Query& query);

}  // namespace tfprof
