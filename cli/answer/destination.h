// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "core/report/report.h"
#include "emitters/emitter.h"

namespace tfprof {

// The command that shows an answer longer than the screen: $TFPROF_PAGER, else $PAGER, else less if
// installed. An empty value or `cat` means none. Empty: none.
std::string PagerCommand();

// Returns true if the session is interactive and `text` has more lines than the screen.
bool NeedsPager(const Session& session, std::string_view text);

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

// Prints, once, the notes that the format itself does not show.
void PrintNotes(Session& session, const Report& report, const Emitter& emitter);

}  // namespace tfprof
