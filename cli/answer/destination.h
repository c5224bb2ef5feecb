// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "core/report/report.h"
#include "emitters/emitter.h"

namespace tfprof {

// Chooses the destination of an answer and its style there.

// Returns true if the answer to `line` is shown on a terminal.
bool ToScreen(const Session& session, const Query& query, const CommandLine& line);

// The width of the terminal that shows the text; 0: no terminal.
int ScreenColumns(const Session& session, const CommandLine& line);

// The style that suits the destination of the answer to `line`.
Style StyleFor(const Session& session, const Report& report, const Query& query,
               const CommandLine& line);

// Checks that the output file, if there is one, may be written. `open`: the profiles that it must
// not replace. Error: usage.
Result<void> CheckFile(const Session& session, const Query& query, const Redirect& redirect,
                       const std::vector<std::string>& open);

// Writes the report with `emitter` to the destination that -output and the redirection give. In an
// interactive session, a table that is longer than the screen goes through a pager. Errors: usage,
// unwritable, cancelled.
Result<void> WriteReport(Session& session, const Report& report, const Query& query,
                         const Emitter& emitter, const CommandLine& line, Work& work);

// Names the tables of the answer that a single-table format leaves out.
void PrintOtherTables(Session& session, const Report& report, const Display& display);

// Prints each note once in a session; of a report, only those that the format does not show.
void PrintNotes(Session& session, const std::vector<Note>& notes);
void PrintNotes(Session& session, const Report& report, const Emitter& emitter);

}  // namespace tfprof
