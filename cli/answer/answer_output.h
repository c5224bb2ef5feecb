// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "core/report/report.h"
#include "emitters/emitter.h"

// Where an answer goes, and how it looks there.

namespace tfprof {

// Whether the answer to `line` is seen on a terminal.
bool ToScreen(const Session& session, const Query& query, const CommandLine& line);

// The width of the terminal that a text is read on; 0: it goes elsewhere.
int ScreenColumns(const Session& session, const CommandLine& line);

// What the place shows that the answer to `line` goes to.
Style StyleFor(const Session& session, const Report& report, const Query& query,
               const CommandLine& line);

// Whether the file that the answer goes to, if it does, may be written; `open`: the profiles that
// it must not replace. Error: usage.
Result<void> CheckFile(const Session& session, const Query& query, const Redirect& redirect,
                       const std::vector<std::string>& open);

// Writes the report as `emitter` does, to where -output and the redirection say; a table on the
// screen of somebody who types goes through a pager where it is too long. Errors: usage,
// unwritable, cancelled.
Result<void> WriteReport(Session& session, const Report& report, const Query& query,
                         const Emitter& emitter, const CommandLine& line, Work& work);

// Names the tables of the answer that a format of one table leaves out.
void TellOtherTables(Session& session, const Report& report, const Display& display);

// Tells, once, what a reader of the numbers should know where the format itself does not say it.
void TellNotes(Session& session, const Report& report, const Emitter& emitter);

}  // namespace tfprof
