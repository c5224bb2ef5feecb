// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/commands.h"

#include <fmt/core.h>

#include <fstream>
#include <istream>
#include <ostream>

#include "cli/answer/answer.h"
#include "cli/answer/folding.h"
#include "cli/answer/last_answer.h"
#include "cli/answer/output.h"
#include "cli/ask/question.h"
#include "cli/export/writing.h"
#include "cli/message.h"
#include "core/base/nearest.h"
#include "core/query/options.h"

namespace tfprof {
namespace {

constexpr ShellCommand kShellCommands[] = {
    {"set", "set OPTION...|hints off", "sets options for the following commands",
     "set -max_depth 4 -select micros,bytes\nset hints on", -1, false, RunSet},
    {"preset", "preset params|flops|time",
     "sets the options that list parameters, flops, or time and memory",
     "preset flops\npreset params", 1, true, RunPreset, true, "params, flops or time"},
    {"focus", "focus [TEXT|ROW]...",
     "counts only nodes whose name or type contains one of the texts", "focus conv\nfocus", -1,
     true, RunFocus, true},
    {"ignore", "ignore [TEXT|ROW]...", "excludes nodes whose name or type contains the text",
     "ignore grad\nignore", -1, true, RunIgnore, true},
    {"show", "show [TEXT|ROW]...", "shows only rows whose name contains one of the texts",
     "show loss\nshow", -1, true, RunShow, true},
    {"hide", "hide [TEXT|ROW]...", "hides rows whose name contains the text", "hide Momentum\nhide",
     -1, true, RunHide, true},
    {"cd", "cd [SCOPE|ROW|..|-]", "enters a scope of the model; without a word, the whole model",
     "cd", 1, true, RunCd, true},
    {"up", "up", "goes to the enclosing scope", "", 0, true, RunUp, true},
    {"undo", "undo", "reverts the last change of options or filters", "", 0, false, RunUndo, true},
    {"redo", "redo", "repeats the change that undo reverted", "", 0, false, RunRedo, true},
    {"reset", "reset", "clears all filters", "reset", 0, false, RunReset, true},
    {"filters", "filters", "lists the current filters; its help explains all filters", "filters", 0,
     false, RunFilters, true},
    {"unfold", "unfold [ROW|NAME] [OPTION...]", "shows the rows folded into one, or all rows", "",
     -1, true, RunUnfold, true},
    {"fold", "fold", "shows the last table folded again", "", 0, true, RunFold, true},
    {"last", "last", "shows all rows of the last table", "", 0, true, RunLast, true},
    {"hist", "hist COLUMN [log|linear]", "histogram of a column of the last table", "", -1, true,
     RunHist, true, "a column"},
    {"explain", "explain [COLUMN]", "explains a column of the last table", "explain micros", -1,
     false, RunExplain, true},
    {"load", "load FILE... [as base]", "opens other files, or a base for diff", "", -1, false,
     RunLoad, false, "a file"},
    {"follow", "follow [-every TIME] [-last TIME] [COMMAND]",
     "answers again whenever the open files change, until Ctrl-C or the end of the job", "", -1,
     true, RunFollow, true},
    {"source", "source FILE", "runs the commands of a file", "", 1, false, RunSource, false,
     "a file"},
    {"time", "time COMMAND", "measures a command", "time op", -1, false, RunTime, false,
     "a command"},
    {"echo", "echo TEXT", "prints text", "echo the most expensive operations", -1, false, RunEcho},
    {"history", "history", "lists the command history", "history", 0, false, RunHistory},
    {"clear", "clear", "clears the screen", "", 0, false, RunClear},
    {"help", "help [TOPIC]", "explains a command, an option or a topic; so does ?",
     "help op\nhelp -order_by", -1, false, RunHelp},
    {"quit", "quit", "exits; so do q and Ctrl-D", "", 0, false, RunQuit},
    {"exit", "exit", "same as quit", "", 0, false, RunQuit},
};

// Short names. The original refuses them in a batch.
struct Alias {
  std::string_view name;
  std::string_view command;
};
constexpr Alias kAliases[] = {{"?", "help"}, {"q", "quit"}};

Result<void> CheckWords(const ShellCommand& command, const CommandLine& line) {
  const size_t words = line.words.size() - 1;
  if (words == 0 && !command.needs.empty()) {
    return Refused(line, line.words.front(),
                   fmt::format("{} needs {}", command.name, command.needs),
                   std::string(command.usage));
  }
  if (command.words < 0 || words <= static_cast<size_t>(command.words)) return {};
  const Word& extra = line.words[static_cast<size_t>(command.words) + 1];
  return Refused(line, extra, "too many words", std::string(command.usage));
}

Result<void> OpenRedirect(Session& session, const Redirect& redirect, Destination& destination) {
  if (redirect.kind == Redirect::write || redirect.kind == Redirect::append) {
    const auto open =
        session.profile.store ? OpenFiles(*session.profile.store) : std::vector<std::string>();
    TFPROF_TRY(CheckTarget(redirect.target, open, false));
  }
  switch (redirect.kind) {
    case Redirect::none: return destination.OpenStream(session.io);
    case Redirect::pipe: return destination.OpenPipe(redirect.target, session.interactive);
    case Redirect::write: return destination.OpenFile(redirect.target, false);
    case Redirect::append: return destination.OpenFile(redirect.target, true);
  }
  return {};
}

Result<int> RunShellCommand(Session& session, const ShellCommand& command, const CommandLine& line,
                            std::string_view place) {
  TFPROF_TRY(CheckWords(command, line));
  Destination destination;
  // The output is small: it is written at the end.
  Sink out;
  TFPROF_ASSIGN(const int status, command.run(session, line, place, out));
  if (out.buffer.empty()) return status;
  TFPROF_TRY(OpenRedirect(session, line.redirect, destination));
  destination.sink().Append(out.buffer);
  TFPROF_TRY(destination.Commit());
  return status;
}

bool WantsHelp(const CommandLine& line) {
  if (line.words.size() != 2 || !IsCommand(line.words[0].text)) return false;
  const std::string& word = line.words[1].text;
  return word == "--help" || word == "-help" || word == "-h";
}

Result<int> Dispatch(Session& session, const CommandLine& line, std::string_view place) {
  if (line.words.empty()) {
    Destination destination;
    TFPROF_TRY(destination.OpenStream(session.io));
    destination.sink().Append(ListActiveFilters(session));
    TFPROF_TRY(destination.Commit());
    return 0;
  }
  const std::string& name = line.words.front().text;
  if (name[0] == '#') return 0;
  const bool has_aliases = !session.classic || session.interactive;
  if (const Alias* alias = FindNamed(kAliases, name); alias != nullptr && has_aliases) {
    CommandLine full = line;
    full.words.front().text = alias->command;
    return Dispatch(session, full, place);
  }
  if (!session.classic && WantsHelp(line)) {
    CommandLine help = JoinWords({"help", name});
    help.redirect = line.redirect;
    return RunShellCommand(session, *FindShellCommand("help"), help, place);
  }
  if (!IsCommand(name)) return UnknownCommand(line);
  const ShellCommand* command = FindShellCommand(name);
  if (command != nullptr && command->filters && session.classic && !session.interactive) {
    return Refused(line, line.words.front(), "classic mode has no command " + name,
                   "open the profile as FILE, without the path flags");
  }
  const bool needs_profile = command == nullptr || command->needs_profile;
  if (needs_profile && session.profile.store == nullptr) {
    return UsageError("no profile is open", "load FILE, or start with tfprof FILE");
  }
  if (command != nullptr) return RunShellCommand(session, *command, line, place);
  const WritingCommand* writing = FindWritingCommand(name);
  if (writing != nullptr) return WriteFile(session, *writing, line, place);
  return AnswerLine(session, *FindView(name), line, place);
}

// Reports an error and returns its status. A closed standard output is not an error, and there is
// no reader to report it to.
int PrintError(Session& session, const Error& error, std::string_view place) {
  if (IsClosedPipe(error)) {
    session.output_closed = true;
    return 0;
  }
  *session.io.err << Describe(error, place, ErrorColumns(session.io)) << std::flush;
  return ExitStatus(error);
}

}  // namespace

Failure UnknownCommand(const CommandLine& line) {
  const Word& word = line.words.front();
  const std::string near = Nearest(word.text, CommandNames());
  return Refused(line, word, "no command '" + word.text + "'",
                 near.empty() ? "`help` lists the commands" : "did you mean " + near + "?");
}

std::span<const ShellCommand> ShellCommands() { return kShellCommands; }

const ShellCommand* FindShellCommand(std::string_view name) {
  return FindNamed(kShellCommands, name);
}

bool IsCommand(std::string_view name) {
  return FindShellCommand(name) != nullptr || FindView(name) != nullptr ||
         FindWritingCommand(name) != nullptr;
}

std::vector<std::string_view> CommandNames() {
  std::vector<std::string_view> names;
  for (const View& view : Views()) names.push_back(view.name);
  for (const WritingCommand& command : WritingCommands()) names.push_back(command.name);
  for (const ShellCommand& command : kShellCommands) names.push_back(command.name);
  return names;
}

unsigned OptionsOf(std::string_view name) {
  if (name == "set") return ~kUnkeptOptions;
  if (name == "unfold") return kTableOptions;  // and the options of the view that it runs again
  if (const View* view = FindView(name)) return view->options;
  const WritingCommand* writing = FindWritingCommand(name);
  return writing != nullptr ? writing->options : 0;
}

int MaxArguments(std::string_view name) {
  if (FindWritingCommand(name) != nullptr) return 1;
  if (ArgumentOf(name) != Subject::none) return 1;
  const ShellCommand* command = FindShellCommand(name);
  return command != nullptr ? command->words : 0;
}

Subject ArgumentOf(std::string_view name) {
  const View* view = FindView(name);
  return view != nullptr ? view->subject : Subject::none;
}

int Execute(Session& session, std::string_view text, std::string_view place) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  const size_t first = text.find_first_not_of(" \t");
  if (first != std::string_view::npos && text[first] == '#') return 0;
  if (session.classic) return Execute(session, SplitClassic(text), place);
  int status = 0;
  for (const std::string_view command : SplitCommands(text)) {
    const Result<CommandLine> line = SplitShell(command);
    status = line ? Execute(session, *line, place) : PrintError(session, line.error(), place);
    if (status != 0 || session.quit || session.output_closed) break;
  }
  return status;
}

int Execute(Session& session, const CommandLine& line, std::string_view place) {
  const Result<int> status = Dispatch(session, line, place);
  return status ? *status : PrintError(session, status.error(), place);
}

int RunScript(Session& session, std::istream& in, const std::string& name, ScriptStyle style,
              bool* any) {
  int first_failure = 0;
  std::string text;
  for (int number = 1; std::getline(in, text); ++number) {
    if (any != nullptr) *any = true;
    const bool blank = text.find_first_not_of(" \t\r") == std::string::npos;
    if (blank && !style.blank_lists_options) continue;
    const std::string place = name + ":" + std::to_string(number) + ": ";
    const int status = Execute(session, text, place);
    if (first_failure == 0) first_failure = status;
    const bool cancelled = status == static_cast<int>(ErrorKind::cancelled);
    if (session.quit || session.output_closed || cancelled) break;
    if (status != 0 && style.stop_at_error) break;
  }
  return first_failure;
}

int RunScriptFile(Session& session, const std::string& path, ScriptStyle style,
                  std::string_view place) {
  std::ifstream in(path, std::ios::binary);
  const int status = in ? RunScript(session, in, path, style) : 0;
  // A directory can be opened; reading it fails.
  if (in.is_open() && !in.bad()) return status;
  const int reported =
      PrintError(session, {ErrorKind::unreadable, "cannot read the commands", path, {}}, place);
  return status != 0 ? status : reported;
}

}  // namespace tfprof
