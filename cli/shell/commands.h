// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "core/base/sink.h"

namespace tfprof {

// A command that is not a question about the profile: it steers the program.
struct ShellCommand {
  std::string_view name;
  std::string_view usage;    // the command and its words
  std::string_view summary;  // one line for `help`
  std::string_view example;  // commands that run on any profile, one per line
  int words;                 // how many words of its own it takes at most; -1: any number
  bool needs_profile;

  // What it prints goes to `out`. Returns 0 or the exit status of an error that was told already.
  Result<int> (*run)(Session& session, const CommandLine& line, std::string_view place, Sink& out);
  // Changes later answers in a way that the original cannot: its scripts do not know it.
  bool filters = false;
};

// In the order of `help`.
std::span<const ShellCommand> ShellCommands();
const ShellCommand* FindShellCommand(std::string_view name);

bool IsCommand(std::string_view name);
// The names of all views, writing commands and shell commands.
std::vector<std::string_view> CommandNames();
// The groups of options that the command reads or keeps.
unsigned OptionsOf(std::string_view name);
// How many words of its own the command takes before the names of files; -1: any number.
int OwnWords(std::string_view name);
// Whether that word is a number that may be left out.
bool OwnWordIsNumber(std::string_view name);
// Whether it is a scope that may be left out: a word that names no file is it.
bool OwnWordIsScope(std::string_view name);
// Whether it is a file to compare with.
bool OwnWordIsBase(std::string_view name);

// Runs one line: splits it as the session's door does, answers, and tells errors, after `place`
// ("FILE:LINE: " or nothing). Returns the exit status. A blank line lists the options in force.
int Execute(Session& session, std::string_view text, std::string_view place);
int Execute(Session& session, const CommandLine& line, std::string_view place);

// Runs the lines of `in` (`name` is for errors). `stop` leaves at the first error; otherwise all
// lines are run. Returns the status of the first error, or 0. *any is set when there was a line.
struct ScriptStyle {
  bool stop_at_error = true;
  bool blank_lists_options = false;
};
int RunScript(Session& session, std::istream& in, const std::string& name, ScriptStyle style,
              bool* any = nullptr);

// The same for a file; tells, after `place`, when it cannot be read: 3.
int RunScriptFile(Session& session, const std::string& path, ScriptStyle style,
                  std::string_view place);

}  // namespace tfprof
