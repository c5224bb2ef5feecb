// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <fstream>
#include <istream>
#include <ostream>
#include <sstream>

#include "cli/arguments.h"
#include "cli/builtins.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/message.h"
#include "cli/session.h"
#include "cli/shell.h"

namespace tfprof {
namespace {

int Complain(const Error& error, Io& io) {
  *io.err << Describe(error, "tfprof: ") << std::flush;
  return ExitStatus(error);
}

int Print(const std::string& text, Io& io) {
  *io.out << text << std::flush;
  return 0;
}

int RunScriptFile(Session& session, const std::string& path, ScriptStyle style) {
  if (path == "-") return RunScript(session, *session.io.in, "stdin", style);
  std::ifstream in(path, std::ios::binary);
  if (in) return RunScript(session, in, path, style);
  return Complain({ErrorKind::unreadable, "cannot read the commands", path, {}}, session.io);
}

int RunScripts(Session& session, const Arguments& arguments) {
  const ScriptStyle style{.stop_at_error = !arguments.keep_going, .blank_lists_options = false};
  int first_failure = 0;
  for (const Script& script : arguments.scripts) {
    const int status = script.is_file ? RunScriptFile(session, script.text, style)
                                      : Execute(session, script.text, "");
    if (first_failure == 0) first_failure = status;
    if (session.quit || session.output_closed) break;
    if (status != 0 && style.stop_at_error) break;
  }
  return first_failure;
}

// Commands from a pipe or a file: all are answered. Nothing at all asks for the summary.
int RunStandardInput(Session& session) {
  bool any = false;
  const ScriptStyle style{.stop_at_error = false, .blank_lists_options = true};
  const int status = RunScript(session, *session.io.in, "stdin", style, &any);
  return any ? status : Execute(session, "summary", "");
}

int RunCommands(Session& session, const Arguments& arguments) {
  const Io& io = session.io;
  if (!arguments.command.words.empty()) return Execute(session, arguments.command, "tfprof: ");
  if (!arguments.scripts.empty()) return RunScripts(session, arguments);
  if (!io.in_is_terminal) return RunStandardInput(session);
  if (!io.out_is_terminal) return Execute(session, "summary", "");
  return RunShell(session);
}

// Whether there is nothing to open: `tfprof help op`, `tfprof echo`.
bool NeedsNoProfile(const Arguments& arguments) {
  if (arguments.command.words.empty()) return false;
  const ShellCommand* command = FindShellCommand(arguments.command.words.front().text);
  return command != nullptr && !command->needs_profile;
}

}  // namespace

int Run(const std::vector<std::string>& args, Io& io) {
  const Result<Arguments> arguments = ParseArguments(args);
  if (!arguments) return Complain(arguments.error(), io);
  if (arguments->help || args.empty()) return Print(UsageText(), io);
  if (arguments->version) return Print(VersionText(), io);

  Session session(io);
  session.classic = arguments->classic;
  session.limits.partial = arguments->partial;
  session.limits.max_inflated_bytes = arguments->max_bytes;
  const CommandLine& options = arguments->options;
  if (const auto kept = KeepOptions(session, options, options.words); !kept) {
    return Complain(kept.error(), io);
  }

  const std::vector<Input> inputs = Inputs(*arguments);
  if (!inputs.empty()) {
    if (const auto opened = OpenInputs(session, inputs); !opened) {
      return Complain(opened.error(), io);
    }
  } else if (!NeedsNoProfile(*arguments)) {
    return Complain({ErrorKind::usage, "no profile to open", {}, "tfprof FILE, or tfprof --help"},
                    io);
  }
  return RunCommands(session, *arguments);
}

}  // namespace tfprof
