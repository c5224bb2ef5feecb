// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/shell_completion.h"
#include "cli/help.h"

namespace tfprof {
namespace {

constexpr std::string_view kFishScript = R"script(# Completion of tfprof for fish.
# Made by: tfprof --completion fish

# Prints the first word that is a command, if there is one.
function __tfprof_command
    for word in (commandline -opc)[2..-1]
        if contains -- $word @COMMANDS@
            echo $word
            return 0
        end
    end
    return 1
end

# Whether there is no command yet, or one of these.
function __tfprof_reads
    set -l command (__tfprof_command)
    or return 0
    contains -- $command $argv
end

# What is typed before the last comma, and each of these behind it.
function __tfprof_list
    set -l typed (string match -r -- '^.*,' (commandline -ct | string replace -r -- '^-[^=]*=' ''))
    printf '%s\n' $typed$argv
end

)script";

std::string Quoted(std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled.append(c == '\\' ? 2 : 1, c);
  return SingleQuoted(doubled, "\\'");
}

// The fish command that completes one option.
std::string About(const ArgumentOption& option) {
  const std::string name(option.name);
  std::string out = "complete -c tfprof";
  if (!option.readers.empty()) out += " -n '__tfprof_reads " + SpaceSeparated(option.readers) + "'";
  out += name.size() == 1 ? " -s " + name : " -o " + name;
  out += " -l " + name;
  switch (option.kind) {
    case ArgumentOption::alone:
    case ArgumentOption::boolean:  // usually without a value
      break;
    case ArgumentOption::text: out += " -x"; break;
    case ArgumentOption::word: out += " -x -a " + Quoted(SpaceSeparated(option.values)); break;
    case ArgumentOption::list:
      out += " -x -a " + Quoted("(__tfprof_list " + SpaceSeparated(option.values) + ")");
      break;
    case ArgumentOption::files: out += " -r -F"; break;
    case ArgumentOption::output: out += " -r -a " + Quoted(SpaceSeparated(option.values)); break;
  }
  return out + " -d " + Quoted(option.meaning) + "\n";
}

}  // namespace

std::string FishCompletion() {
  std::vector<std::string_view> commands;
  std::string lines;
  for (const NameAndMeaning& command : ArgumentCommands()) {
    commands.push_back(command.name);
    lines += "complete -c tfprof -n 'not __tfprof_command >/dev/null' -a " +
             std::string(command.name) + " -d " + Quoted(command.meaning) + "\n";
  }
  lines += "complete -c tfprof -n '__tfprof_reads help; and __tfprof_command >/dev/null' -f -a " +
           Quoted(SpaceSeparated(commands) + " " + SpaceSeparated(HelpTopics())) + "\n";
  for (const ArgumentOption& option : ArgumentOptions()) lines += About(option);
  return Filled(kFishScript, {{"COMMANDS", SpaceSeparated(commands)}}) + lines;
}

}  // namespace tfprof
