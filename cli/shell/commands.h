// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "core/base/sink.h"

namespace tfprof {

// A command that controls the program instead of querying the profile.
struct ShellCommand {
  std::string_view name;
  std::string_view usage;    // the command and its words
  std::string_view summary;  // one line for `help`
  std::string_view example;  // commands that run on any profile, one per line
  int words;                 // max number of arguments; -1: unlimited
  bool needs_profile;

  // Writes its output to `out`. Returns 0, or the exit status of an error that was already
  // reported.
  Result<int> (*run)(Session& session, const CommandLine& line, std::string_view place, Sink& out);
  // Changes later answers in a way that the original cannot: classic mode lacks it.
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
// The max number of arguments before the names of files; -1: unlimited.
int OwnWords(std::string_view name);
// Returns true if that argument is an optional number.
bool OwnWordIsNumber(std::string_view name);
// Returns true if it is an optional scope: a word that names no file is the scope.
bool OwnWordIsScope(std::string_view name);
// Returns true if it is a file to compare with.
bool OwnWordIsBase(std::string_view name);

// Runs one line: splits it by the rules of the session's mode, answers, and reports errors, after
// `place` ("FILE:LINE: " or nothing). Returns the exit status. A blank line lists the options in
// force.
int Execute(Session& session, std::string_view text, std::string_view place);
int Execute(Session& session, const CommandLine& line, std::string_view place);

// Runs the lines of `in` (`name` is for errors). `stop_at_error` stops at the first error;
// otherwise all lines run. Returns the status of the first error, or 0. Sets *any if there was a
// line.
struct ScriptStyle {
  bool stop_at_error = true;
  bool blank_lists_options = false;
};
int RunScript(Session& session, std::istream& in, const std::string& name, ScriptStyle style,
              bool* any = nullptr);

// Runs the lines of a file. Reports, after `place`, a file that cannot be read, and returns 3.
int RunScriptFile(Session& session, const std::string& path, ScriptStyle style,
                  std::string_view place);

}  // namespace tfprof
