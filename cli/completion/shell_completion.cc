// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/shell_completion.h"

#include "cli/arguments.h"
#include "cli/export/writing.h"
#include "cli/running/commands.h"
#include "cli/shell/commands.h"
#include "loaders/loader.h"
#include "views/view.h"

namespace tfprof {
namespace {

ArgumentOption OfFlag(const Flag& flag) {
  ArgumentOption made{flag.name, flag.meaning, {flag.takes, {}}, {}};
  // The only flag of the program with a choice is --as.
  if (flag.takes != Choices::word) return made;
  for (const Loader& loader : Loaders()) made.value.names.emplace_back(loader.name);
  return made;
}

}  // namespace

std::vector<NameAndMeaning> ArgumentCommands() {
  std::vector<NameAndMeaning> commands;
  for (const View& view : Views()) commands.push_back({view.name, view.summary});
  for (const WritingCommand& command : WritingCommands()) {
    commands.push_back({command.name, command.summary});
  }
  for (const RunningCommand& command : RunningCommands()) {
    commands.push_back({command.name, command.summary});
  }
  const ShellCommand& help = *FindShellCommand("help");
  commands.push_back({help.name, help.summary});
  return commands;
}

std::vector<ArgumentOption> ArgumentOptions() {
  std::vector<ArgumentOption> options;
  for (const Flag& flag : Flags()) {
    if (!flag.meaning.empty()) options.push_back(OfFlag(flag));
  }
  for (const Option& option : Options()) {
    options.push_back({option.name, option.meaning, ChoicesOf(option), ReadersOf(option)});
  }
  return options;
}

}  // namespace tfprof
