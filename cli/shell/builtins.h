// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "core/base/sink.h"

namespace tfprof {

// The implementations of shell commands (cli/shell/commands.h has their table and the meaning of
// the arguments).
Result<int> RunSet(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunLoad(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunSource(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunTime(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunEcho(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunHistory(Session& session, const CommandLine& line, std::string_view place,
                       Sink& out);
Result<int> RunHelp(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunQuit(Session& session, const CommandLine& line, std::string_view place, Sink& out);

// Runs `set` with `words`: options or `hints on|off`. All of them apply, or none. Error: usage.
Result<void> KeepOptions(Session& session, const CommandLine& line, std::span<const Word> words);

}  // namespace tfprof
