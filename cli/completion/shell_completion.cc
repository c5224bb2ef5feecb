// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/shell_completion.h"

#include "cli/arguments.h"
#include "cli/choices.h"
#include "cli/export/writing.h"
#include "cli/shell/commands.h"
#include "core/base/nearest.h"
#include "loaders/loader.h"
#include "views/view.h"

namespace tfprof {
namespace {

struct Shell {
  std::string_view name;
  std::string (*script)();
};

constexpr Shell kShells[] = {
    {"bash", BashCompletion},
    {"zsh", ZshCompletion},
    {"fish", FishCompletion},
};

ArgumentOption OfFlag(const Flag& flag) {
  ArgumentOption made{.name = flag.name, .meaning = flag.meaning, .values = {}, .readers = {}};
  switch (flag.takes) {
    case Flag::nothing: made.kind = ArgumentOption::alone; break;
    case Flag::text: made.kind = ArgumentOption::text; break;
    case Flag::file: made.kind = ArgumentOption::files; break;
    case Flag::shell:
      made.kind = ArgumentOption::word;
      made.values = {"bash", "zsh", "fish"};
      break;
    case Flag::format:
      made.kind = ArgumentOption::word;
      for (const Loader& loader : Loaders()) made.values.emplace_back(loader.name);
      break;
  }
  return made;
}

ArgumentOption OfOption(const Option& option) {
  const Choices choices = ChoicesOf(option);
  ArgumentOption made{.name = option.name,
                      .meaning = option.meaning,
                      .values = choices.names,
                      .readers = ReadersOf(option)};
  switch (choices.kind) {
    case Choices::anything: made.kind = ArgumentOption::text; break;
    case Choices::one:
      made.kind = option.type == OptionType::flag ? ArgumentOption::boolean : ArgumentOption::word;
      break;
    case Choices::list: made.kind = ArgumentOption::list; break;
    case Choices::output: made.kind = ArgumentOption::output; break;
  }
  return made;
}

}  // namespace

Result<std::string> CompletionScript(std::string_view shell) {
  if (const Shell* known = FindNamed(kShells, shell)) return known->script();
  return UsageError("no completion for '" + std::string(shell) + "'",
                    OneOf(shell, CompletionShells()));
}

std::vector<std::string_view> CompletionShells() { return NamesIn(kShells); }

std::vector<NameAndMeaning> ArgumentCommands() {
  std::vector<NameAndMeaning> commands;
  for (const View& view : Views()) commands.push_back({view.name, view.summary});
  for (const WritingCommand& command : WritingCommands()) {
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
  for (const Option& option : Options()) options.push_back(OfOption(option));
  return options;
}

std::string SingleQuoted(std::string_view text, std::string_view quote) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += quote;
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string Filled(std::string_view text, const std::vector<Mark>& marks) {
  std::string out(text);
  for (const Mark& mark : marks) {
    const std::string name = "@" + std::string(mark.name) + "@";
    for (size_t at = 0; (at = out.find(name, at)) != out.npos; at += mark.text.size()) {
      out.replace(at, name.size(), mark.text);
    }
  }
  return out;
}

}  // namespace tfprof
