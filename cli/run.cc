// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>

#include "cli/answer/output.h"
#include "cli/arguments.h"
#include "cli/ask/question.h"
#include "cli/completion/shell_completion.h"
#include "cli/export/writing.h"
#include "cli/follow/follow.h"
#include "cli/help.h"
#include "cli/message.h"
#include "cli/running/commands.h"
#include "cli/running/fetch.h"
#include "cli/shell/commands.h"
#include "cli/shell/session.h"
#include "core/base/nearest.h"
#include "remote/targets.h"
#include "views/view.h"

namespace tfprof {
namespace {

int Complain(const Error& error, Io& io) {
  *io.err << Describe(error, "tfprof: ", ErrorColumns(io)) << std::flush;
  return ExitStatus(error);
}

int Print(const Result<std::string>& text, Io& io) {
  if (!text) return Complain(text.error(), io);
  Destination out;
  Result<void> written = out.OpenStream(io);
  out.sink().Append(*text);
  written = out.Commit(std::move(written));
  return written || IsClosedPipe(written.error()) ? 0 : Complain(written.error(), io);
}

Result<std::string> HelpOn(std::string_view command, const Io& io) {
  return HelpAbout(JoinWords({"help", std::string(command)}), nullptr, io.columns);
}

bool AsksForHelp(const std::string& word) {
  return IsOption(word) && FindFlag(OptionName(word)) == FindFlag("help");
}

// Prints help about the command if there is one, else the usage.
int PrintHelp(const Arguments& arguments, Io& io) {
  const std::vector<Word>& words = arguments.command.words;
  return Print(words.empty() ? UsageText(io.columns) : HelpOn(words.front().text, io), io);
}

// The events that the queries of `-c` need. Commands from a file or a terminal are not known yet.
// Errors are reported when the command runs.
EventsRead RequiredEvents(const Session& session, const std::vector<Script>& scripts) {
  EventsRead need{.hosts = false, .starts = false};
  for (const Script& script : scripts) {
    if (script.is_file || session.classic) return {};
    const Result<CommandLine> line = SplitShell(script.text);
    if (!line || line->words.empty()) return {};
    const View* view = FindView(line->words.front().text);
    if (view == nullptr) return {};
    const Result<ParsedQuestion> question = ParseQuestion(session, *view, *line);
    if (!question) return {};
    const EventsRead one = ReadBy(*view, question->query);
    need = {.hosts = need.hosts || one.hosts, .starts = need.starts || one.starts};
  }
  return need;
}

// Checks a single command before a load that may take minutes. Returns the events that it needs.
Result<EventsRead> CheckCommand(const Session& session, const Arguments& arguments,
                                const std::vector<Input>& inputs) {
  const CommandLine& line = arguments.command;
  if (line.words.empty() && !arguments.scripts.empty())
    return RequiredEvents(session, arguments.scripts);
  if (line.words.empty()) return EventsRead();
  const std::string& name = line.words.front().text;
  if (const View* view = FindView(name)) return CheckQuestion(session, *view, line, inputs);
  const WritingCommand* writing = FindWritingCommand(name);
  if (writing == nullptr) return EventsRead();
  TFPROF_TRY(CheckWriting(*writing, line, inputs, session.classic));
  if (const auto jobs = JobsOf(inputs); !session.classic && jobs.size() > 1) {
    return UsageError(fmt::format("{} writes one job, and these are {}", name, jobs.size()),
                      "name one of them: " + jobs[0][0].path);
  }
  return EventsRead();
}

int RunOne(Session& session, const Script& script, ScriptStyle style) {
  if (!script.is_file) return Execute(session, script.text, "");
  if (script.text == "-") return RunScript(session, *session.io.in, "stdin", style);
  return RunScriptFile(session, script.text, style, "tfprof: ");
}

int RunScripts(Session& session, const Arguments& arguments) {
  const ScriptStyle style{.stop_at_error = !arguments.keep_going, .blank_lists_options = false};
  int first_failure = 0;
  for (const Script& script : arguments.scripts) {
    const int status = RunOne(session, script, style);
    if (first_failure == 0) first_failure = status;
    if (session.quit || session.output_closed) break;
    if (status != 0 && style.stop_at_error) break;
  }
  return first_failure;
}

// Runs commands from a pipe or a file: all of them, even after an error. Empty input runs the
// summary.
int RunStandardInput(Session& session) {
  bool any = false;
  const ScriptStyle style{.stop_at_error = false, .blank_lists_options = true};
  const int status = RunScript(session, *session.io.in, "stdin", style, &any);
  if (any) return status;
  if (session.profile.store == nullptr) return Print(UsageText(session.io.columns), session.io);
  return Execute(session, FirstCommand(session), "");
}

int RunCommands(Session& session, const Arguments& arguments) {
  const Io& io = session.io;
  if (!arguments.command.words.empty()) return Execute(session, arguments.command, "tfprof: ");
  if (!arguments.scripts.empty()) return RunScripts(session, arguments);
  if (!io.in_is_terminal) return RunStandardInput(session);
  if (!io.out_is_terminal) return Execute(session, FirstCommand(session), "");
  return RunShell(session);
}

// Returns true if the one command is a view of jobs: each FILE is one then.
bool ShowsJobs(const Arguments& arguments) {
  const std::vector<Word>& words = arguments.command.words;
  const View* const view = words.empty() ? nullptr : FindView(words.front().text);
  return view != nullptr && view->shows_jobs && !arguments.classic;
}

// Refreshes the answers to the commands.
Result<int> RunFollowing(Session& session, const Arguments& arguments,
                         const std::vector<Input>& inputs) {
  const std::vector<Word>& words = arguments.command.words;
  if (arguments.classic || inputs.empty()) {
    return UsageError("--follow needs a FILE or a folder", "tfprof DIR --follow");
  }
  if (!words.empty() && FindView(words.front().text) == nullptr) {
    return UsageError("--follow repeats answers, and " + words.front().text + " gives none",
                      "tfprof DIR --follow, or with the command of a view");
  }
  Following following{inputs, {}, arguments.command, arguments.every, arguments.last};
  for (const Script& script : arguments.scripts) {
    if (script.is_file) return UsageError("--follow cannot be combined with -f", "use -c");
    following.texts.push_back(script.text);
  }
  for (const Input& input : inputs) {
    if (input.path == "-") return UsageError("--follow: standard input cannot be opened again");
  }
  return Follow(session, following);
}

// Returns true if there is nothing to open: `tfprof help op`, `tfprof echo`. Scripts may open files
// themselves; queries without a profile fail when they run.
bool NeedsNoProfile(const Arguments& arguments, bool from_terminal) {
  if (!arguments.scripts.empty()) return true;
  if (arguments.command.words.empty()) return !from_terminal;
  const ShellCommand* command = FindShellCommand(arguments.command.words.front().text);
  return command != nullptr && !command->needs_profile;
}

// A missing FILE may be a misspelled command, `tfprof opp FILE`, a command in quotes without -c,
// `tfprof FILE 'op -n 3'`, or the argument of a view that took the file as its argument, `tfprof
// peek FILE NAME`.
Error WithCommandHint(Error error, const Arguments& arguments) {
  const bool absent = error.kind == ErrorKind::unreadable && HintOf(error).empty();
  const std::vector<Word>& words = arguments.command.words;
  if (!absent || arguments.classic) return error;
  // The word of diff and of a command that writes is a file: nothing to swap.
  const bool takes_word = !words.empty() && ArgumentOf(words[0].text) != Subject::base &&
                          FindWritingCommand(words[0].text) == nullptr;
  if (takes_word && words.size() > 1 && NamesFile(words[1].text)) {
    error.hint = fmt::format("tfprof {} {} {}", words[1].text, words[0].text, error.where);
  }
  if (!words.empty()) return error;
  const std::vector<std::string_view> names = CommandNames();
  const std::string near = Nearest(error.where, names);
  if (!near.empty()) error.hint = "did you mean the command " + near + "?";
  const std::string_view first = std::string_view(error.where).substr(0, error.where.find(' '));
  if (first != error.where && std::ranges::count(names, first) > 0) {
    error.hint = "a command in quotes needs -c: -c '" + error.where + "'";
  }
  return error;
}

// A hint for a shell command, which prints nothing alone: the commands before or after it. A FILE
// among its words is the profile.
std::string HowToSteer(const ShellCommand& command, const std::vector<Word>& words) {
  std::string file = "FILE", line;
  for (const Word& word : words) {
    if (&word != &words.front() && NamesFile(word.text)) {
      file = word.text;
    } else {
      line += (line.empty() ? "" : " ") + word.text;
    }
  }
  if (line == "hist") line += " micros";
  if (command.name == "hist") return fmt::format("tfprof {} -c top -c '{}'", file, line);
  if (command.name == "unfold") return fmt::format("tfprof {} -c scope -c '{}'", file, line);
  return fmt::format("tfprof {} -c '{}' -c top", file, line);
}

// A lone FILE may have been taken as the argument of a command.
std::string HowToOpen(const Arguments& arguments) {
  const std::vector<Word>& words = arguments.command.words;
  if (words.empty()) return "tfprof FILE, or tfprof --help";
  const std::string& name = words.front().text;
  const ShellCommand* const command = FindShellCommand(name);
  if (command != nullptr && command->words != 0) {
    return HowToSteer(*command, words) + "; help " + name + " shows more";
  }
  const Subject subject = ArgumentOf(name);
  const bool word = MaxArguments(name) > 0 && subject != Subject::rows && subject != Subject::scope;
  const char* const argument = FindWritingCommand(name) != nullptr ? " OUT"
                               : subject == Subject::base          ? " BASE"
                               : word                              ? " WORD"
                                                                   : "";
  return "tfprof " + name + argument + " FILE; help " + name + " shows more";
}

// Nothing is copied, and no server is called, unless the command says so.
Result<void> CheckAreLocal(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const bool server = remote::IsTarget(file);
    if (!server && !IsUrl(file)) continue;
    return UsageError(
        "'" + file + (server ? "' is a server, not a file" : "' is a URL, not a file"),
        server ? "tfprof capture " + file + " -o LOGDIR -c summary"
               : "tfprof fetch " + file + " -c summary");
  }
  return {};
}

}  // namespace

int Run(const std::vector<std::string>& args, Io& io) {
  if (const RunningCommand* const command = RunningCommandOf(args)) {
    if (std::ranges::any_of(args, AsksForHelp)) return Print(HelpOn(command->name, io), io);
    const Result<int> status = command->run({args.begin() + 1, args.end()}, io);
    return status ? *status : Complain(status.error(), io);
  }
  const Result<Arguments> arguments = ParseArguments(args);
  if (!arguments) return Complain(arguments.error(), io);
  const bool nothing = args.empty() && io.in_is_terminal;
  if (arguments->help || nothing) return PrintHelp(*arguments, io);
  if (arguments->version) return Print(VersionText(), io);
  if (arguments->man) return Print(ManPage(), io);
  if (!arguments->completion.empty()) return Print(CompletionScript(arguments->completion), io);

  Session session(io);
  session.classic = arguments->classic;
  session.base_path = arguments->base;
  session.ranks = arguments->ranks;
  session.limits.partial = arguments->partial;
  session.limits.max_inflated_bytes = arguments->max_bytes;
  if (!arguments->no_config) {
    if (const auto read = ReadConfig(session, UserFile("XDG_CONFIG_HOME", ".config", "config"));
        !read) {
      return Complain(read.error(), io);
    }
  }
  const CommandLine& options = arguments->options;
  if (const auto kept = KeepOptions(session, options, options.words); !kept) {
    return Complain(kept.error(), io);
  }

  if (const auto local = CheckAreLocal(arguments->files); !local)
    return Complain(local.error(), io);
  const std::vector<Input> inputs = Inputs(*arguments);
  const Result<EventsRead> read = CheckCommand(session, *arguments, inputs);
  if (!read) return Complain(read.error(), io);
  if (arguments->follow) {
    const Result<int> status = RunFollowing(session, *arguments, inputs);
    return status ? *status : Complain(WithCommandHint(status.error(), *arguments), io);
  }
  if (!inputs.empty()) {
    const auto opened = ShowsJobs(*arguments) ? OpenEachJob(session, inputs, *read)
                                              : OpenInputs(session, inputs, *read);
    if (!opened) {
      return Complain(WithCommandHint(opened.error(), *arguments), io);
    }
  } else if (!NeedsNoProfile(*arguments, io.in_is_terminal)) {
    return Complain({ErrorKind::usage, "no profile to open", {}, HowToOpen(*arguments)}, io);
  }
  return RunCommands(session, *arguments);
}

}  // namespace tfprof
