// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/choices.h"
#include "cli/export/writing.h"
#include "cli/running/commands.h"
#include "cli/shell/commands.h"
#include "emitters/emitter.h"
#include "loaders/loader.h"
#include "views/advice/checker.h"
#include "views/view.h"

namespace tfprof {
namespace {

// Escapes text for troff: letters that are commands or typographic signs there are spelled out, and
// so is a line start that would be a request.
std::string Roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    switch (c) {
      case '\\': out += "\\(rs"; break;
      case '-': out += "\\-"; break;
      case '\'': out += "\\(aq"; break;
      case '`': out += "\\(ga"; break;
      case '^': out += "\\(ha"; break;
      case '~': out += "\\(ti"; break;
      default: out += c;
    }
  }
  return out;
}

std::string Bold(std::string_view text) { return "\\fB" + Roff(text) + "\\fR"; }
std::string Italic(std::string_view text) { return "\\fI" + Roff(text) + "\\fR"; }

// An option, and the placeholder of its value unless it is a flag.
std::string Tag(std::string_view dashes, const auto& option) {
  const std::string name = Bold(fmt::format("{}{}", dashes, option.name));
  return option.value.empty() ? name : name + " " + Italic(option.value);
}

std::string Section(std::string_view title) { return fmt::format(".SH {}\n", title); }
std::string Part(std::string_view title) { return fmt::format(".SS {}\n", Roff(title)); }

// A list entry: the tag, already in troff, and a text.
std::string Entry(std::string_view tag, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", tag, Roff(text));
}

std::string Joined(const auto& names) { return fmt::format("{}", fmt::join(names, ", ")); }

// Lines that are printed verbatim.
std::string Example(std::string_view lines) {
  return fmt::format(".PP\n.in +4n\n.EX\n{}\n.EE\n.in\n", Roff(lines));
}

std::string Head() {
  std::string version = VersionText();
  version.pop_back();  // the line feed
  std::string out = ".\\\" Made by: tfprof --man\n";
  out += fmt::format(".TH TFPROF 1 \"\" \"{}\" \"User Commands\"\n.nh\n.ad l\n", version);
  out += Section("NAME") + "tfprof \\- explore profiles of machine\\-learning programs\n";
  out += Section("SYNOPSIS");
  for (const std::string_view form :
       {"[FILE...] [-c COMMAND]... [-f SCRIPT] [OPTION...]",
        "COMMAND [WORD...] FILE... [OPTION...]",
        "--graph_path=G --run_meta_path=R0,R1 --op_log_path=O --checkpoint_path=C [COMMAND]",
        "--profile_path=P [COMMAND]", "help [TOPIC]"}) {
    out += Bold("tfprof") + " " + Roff(form) + "\n.br\n";
  }
  out += Section("DESCRIPTION");
  out += Roff(
      "tfprof opens profiles of machine-learning programs (graphs, run metadata, op logs, "
      "profiles, checkpoints, XSpace traces) and answers questions about them: in a shell, in a "
      "batch of commands, or one command at a time.\n");
  out += ".PP\n" + Roff(
                       "A FILE may be compressed with gzip. A quoted pattern expands to the "
                       "matching files, in natural order. A folder expands to the traces of its "
                       "newest run, the graph of its SavedModel, or the run metadata in it. - is "
                       "standard input. The format is detected from the content.\n");
  out += ".PP\n" + Roff(
                       "With the path flags, the program is in classic mode: the text, defaults "
                       "and word splitting of the original tfprof.\n");
  out += ".PP\n" + Roff(
                       "Commands are read from standard input if it is not a terminal; if it is "
                       "empty, summary is printed. In the shell, Tab completes, help explains, an "
                       "empty line lists the current options, COMMAND > FILE and COMMAND | PROGRAM "
                       "redirect an answer, Ctrl-C stops a query and Ctrl-D exits.\n");
  return out;
}

std::string FlagList() {
  std::string out = Section("OPTIONS OF THE PROGRAM");
  for (const Flag& flag : Flags()) {
    if (flag.meaning.empty()) continue;
    out += Entry(Tag(flag.name.size() > 1 ? "--" : "-", flag), flag.meaning);
  }
  return out;
}

std::string AboutCommand(const auto& command, std::string_view usage) {
  return Entry(Bold(usage),
               fmt::format("{}{}.\n{}", static_cast<char>(std::toupper(command.summary[0])),
                           command.summary.substr(1), command.help));
}

std::string CommandList() {
  std::string out = Section("COMMANDS") + Part("Questions");
  for (const View& view : Views()) out += AboutCommand(view, UsageOf(view));
  out += Part("Files");
  for (const WritingCommand& command : WritingCommands()) {
    out += AboutCommand(command, command.usage);
  }
  out += Part("Jobs that run");
  for (const RunningCommand& command : RunningCommands()) {
    out += AboutCommand(command, command.usage) + ".RS\n";
    for (const DeclaredOption& option : command.options()) {
      out += Entry(Tag("-", option), option.meaning);
    }
    out += ".RE\n";
  }
  out += Part("The shell");
  for (const ShellCommand& command : ShellCommands()) {
    out += Entry(Bold(command.usage), command.summary);
  }
  return out;
}

std::string OptionList() {
  std::string out = Section("OPTIONS OF COMMANDS");
  out += Roff(
      "Given with a command, as program flags for all commands, or kept by set: -name value or "
      "-name=value, with one or two dashes.\n");
  for (const Option& option : Options()) {
    std::string text(option.meaning);
    const Choices choices = ChoicesOf(option);
    if (!choices.names.empty() && choices.kind != Choices::output) {
      text += "\nOne of: " + Joined(choices.names) + ".";
    }
    const std::string value = option.print(Query{});
    if (!value.empty()) text += "\nDefault: " + value + ".";
    text += "\nRead by: " + Joined(ReadersOf(option)) + ".";
    out += Entry(Tag("-", option), text);
  }
  return out;
}

std::string Lists() {
  std::string out = Section("INPUT FORMATS");
  for (const Loader& loader : Loaders()) out += Entry(Bold(loader.name), loader.summary);
  out += Section("OUTPUT FORMATS");
  for (const Emitter& emitter : Emitters()) out += Entry(Bold(emitter.name), emitter.summary);
  out += Section("ATTRIBUTES");
  for (const AttributeInfo& info : Attributes()) out += Entry(Bold(info.name), info.meaning);
  out += Section("CHECKERS");
  for (const Checker& checker : Checkers()) out += Entry(Bold(checker.name), checker.summary);
  out += Section("EXIT STATUS");
  for (const StatusMeaning& status : StatusMeanings()) {
    out += Entry(Bold(std::to_string(status.status)), status.meaning);
  }
  return out;
}

std::string Tail() {
  std::string out = Section("ENVIRONMENT");
  out += Entry(Bold("NO_COLOR"), "If set and not empty, disables color.");
  out +=
      Entry(Bold("TFPROF_PAGER") + ", " + Bold("PAGER"),
            "Pager for answers longer than the screen; less if neither is set, none if it is cat.");
  out += Section("FILES");
  out += Entry(Italic("$XDG_CONFIG_HOME/tfprof/config"),
               "Default options; ~/.config if the variable is unset.");
  out += Entry(Italic("$XDG_STATE_HOME/tfprof/history"),
               "History of the shell; ~/.local/state if the variable is unset.");
  out += Section("EXAMPLES");
  out += "The most expensive operations, and where in the model they are:\n";
  out += Example(
      "tfprof graph.pb 'run_metas/run_meta_*' -c op -c 'scope -max_depth 3 -order_by micros'");
  out += ".PP\nA trace of TensorFlow 2 or JAX, in a script:\n";
  out += Example("tfprof overview logdir -format json | jq .tables");
  out += ".PP\nA trace for a browser:\n";
  out += Example("tfprof timeline timeline.json.gz profile.pb");
  return out;
}

}  // namespace

std::string ManPage() {
  return Head() + FlagList() + CommandList() + OptionList() + Lists() + Tail();
}

}  // namespace tfprof
