// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "cli/shell/session.h"
#include "core/base/sink.h"

// Narrowing by short words what the commands that follow look at: the scope one is in, parts of
// names to look at or to leave out. They set options (-under, -focus, -ignore, -show_name_regexes,
// -hide_name_regexes), and every change can be taken back. A word may be the number of a row:
// cli/ask/row_names.h.

namespace tfprof {

// Remembers the options that were in force before a command changed them, for undo.
void RememberOptions(Session& session, KeptOptions before);

// How many filters are in force, and the scope: what the prompt shows.
std::string PromptOf(const Session& session);

// `line.words[0]` is the command. Errors: usage.
Result<int> RunFocus(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunIgnore(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunShow(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunHide(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunCd(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunUp(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunUndo(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunRedo(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunReset(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunFilters(Session& session, const CommandLine& line, std::string_view place,
                       Sink& out);

}  // namespace tfprof
