// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "views/view.h"

namespace tfprof {

// A command that controls the program instead of querying the profile.
struct ShellCommand {
  std::string_view name;
  std::string_view usage;    // the command and its words
  std::string_view summary;  // one line for `help`
  std::string_view example;  // commands that run on any profile, one per line
  int words;                 // max number of arguments; -1: unlimited
  bool needs_profile;

  ShellRun* run;
  // Changes later answers in a way that the original cannot: classic mode lacks it.
  bool filters = false;
  std::string_view needs = {};  // the argument that it must have; empty: none
};

// In the order of `help`.
std::span<const ShellCommand> ShellCommands();
const ShellCommand* FindShellCommand(std::string_view name);

bool IsCommand(std::string_view name);
// The first word is none. REQUIRES: there is one.
Failure UnknownCommand(const CommandLine& line);
// The names of all views, writing commands and shell commands.
std::vector<std::string_view> CommandNames();
// The groups of options that the command reads or keeps.
unsigned OptionsOf(std::string_view name);
// The max number of arguments before the names of files; -1: unlimited.
int MaxArguments(std::string_view name);
// The meaning of that argument, if the command is a view.
Subject ArgumentOf(std::string_view name);

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

// The command whose answer is shown first: the summary, or of several jobs all of them.
std::string FirstCommand(const Session& session);

// Answers typed commands until Ctrl-D or `quit`. Errors are reported and do not change the exit
// status: it is always 0. Ctrl-C cancels the running command or drops the line.
int RunShell(Session& session);

// The shell commands of cli/shell/builtins.cc.
ShellRun RunSet, RunLoad, RunFollow, RunSource, RunTime, RunEcho, RunHistory, RunClear, RunHelp,
    RunQuit;
ShellRun RunPreset;  // cli/shell/presets.cc

// Runs `set` with `words`: options or `hints on|off`. All of them apply, or none. Error: usage.
Result<void> KeepOptions(Session& session, const CommandLine& line, std::span<const Word> words);

// Short commands that narrow what later commands use: the current scope, and parts of names to
// include or exclude. They set options (-under, -focus, -ignore, -show_name_regexes,
// -hide_name_regexes), and every change can be undone. A word may be a row number:
// cli/ask/row_names.h.

// Saves the options in force before a command changes them, for undo.
void RememberOptions(Session& session, KeptOptions before);

// The options in force that leave data out: those that differ from their defaults, and a -max_depth
// that was given, since lists have no depth without it.
std::vector<const Option*> FiltersOf(const Session& session);

// Sets an option to its default: it is not given any more.
Result<void> ResetOption(Session& session, const Option& option);

// The prompt text: the number of filters in force, and the scope.
std::string PromptOf(const Session& session);

// Errors: usage.
ShellRun RunFocus, RunIgnore, RunShow, RunHide, RunCd, RunUp, RunUndo, RunRedo, RunReset,
    RunFilters;

// tfprof/FILE in the folder that `variable` names, else in ~/`in_home`; empty without a home.
std::string UserFile(const char* variable, const std::string& in_home, const std::string& file);

// Applies the lines of the file at `path` as `set` would; a line that begins with # is a comment. A
// missing file has no effect. Errors: usage, with the place.
Result<void> ReadConfig(Session& session, const std::string& path);

}  // namespace tfprof
