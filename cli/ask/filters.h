// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "cli/shell/session.h"
#include "core/base/sink.h"

// Short commands that narrow what later commands use: the current scope, and parts of names to
// include or exclude. They set options (-under, -focus, -ignore, -show_name_regexes,
// -hide_name_regexes), and every change can be undone. A word may be a row number:
// cli/ask/row_names.h.

namespace tfprof {

// Saves the options in force before a command changes them, for undo.
void RememberOptions(Session& session, KeptOptions before);

// The prompt text: the number of filters in force, and the scope.
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
