// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cli/answer/answer.h"
#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "emitters/page/page.h"
#include "emitters/page/trace/page_trace.h"
#include "views/view.h"

// What the pages of `report` and `serve` are about: which commands they have the answers of, and
// these answers as blocks.

namespace tfprof {

// Rows of a table on a page. More would make it slow to load, and nobody reads them: the commands
// that it shows print all.
constexpr int64_t kMostPageRows = 10'000;

// Returns a page about the open profile that has its titles, but no entries yet.
Page NewPage(const Session& session);

// True if the view answers without a name or a text.
bool IsAboutProfile(const View& view, const Session& session);

// Returns the entry of a view, without answers. It lacks what the store lacks for the view.
PageEntry EntryOf(const View& view, const Session& session);

// Returns the commands whose answers belong to a view: itself, and its other kinds of rows.
std::vector<std::string> CommandsOf(const View& view);

// Returns the command that draws how a tree changed since the base; empty: it has none. BlockFor
// takes it, too.
std::string ChangesCommand(const View& view, const Session& session);

// Returns the command with the filters in force that its view reads, unless it has them itself:
// the line prints the same answer in a session without filters.
CommandLine WithFilters(const Session& session, const CommandLine& line);

// Returns the command with that -format, whatever it had.
CommandLine InFormat(const CommandLine& line, const std::string& format);

// Returns the commands that show what was held at equal times of the recording, for pages that
// cannot request others. `over_time`: the answer to `memory -at times`.
std::vector<std::string> MomentCommands(const Report& over_time);

// An answer of a page, before it becomes a block.
struct PageReport {
  Answered answered;
  std::string command;  // prints the same answer
};

// Answers a command about the open profile with at most `most_rows` rows in a table. Errors: as
// AnswerFor.
Result<PageReport> ReportOf(Session& session, const CommandLine& line, int64_t most_rows,
                            Context& context);
Result<std::string> BlockOf(const PageReport& report, Context& context);
// Both, also for ChangesCommand.
Result<std::string> BlockFor(Session& session, const CommandLine& line, int64_t most_rows,
                             Context& context);

// Returns what ran, for pictures. Errors: as Timeline.
Result<PageTraceMaker> TraceOf(const Profile& profile, const Query& options, bool classic,
                               Context& context);
// The command that writes it.
std::string TraceCommand(const Session& session);

}  // namespace tfprof
