// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/completion/shell_completion.h"
#include "cli/completion_assets.h"
#include "cli/help.h"
#include "core/base/nearest.h"

namespace tfprof {
namespace {

// By Choices::Kind, as the scripts name them.
constexpr std::string_view kArgumentKinds[] = {"alone", "boolean", "text",  "word",
                                               "list",  "file",    "output"};

// `text` in single quotes, with `quote` in place of each quote in it.
std::string SingleQuoted(std::string_view text, std::string_view quote) {
  std::string out = "'";
  for (const char& c : text) out += c == '\'' ? quote : std::string_view(&c, 1);
  return out + "'";
}

// "a b c"
std::string SpaceSeparated(const auto& names) { return fmt::format("{}", fmt::join(names, " ")); }

// Replaces each of `marks` (@NAME@) in `text`.
struct Mark {
  std::string_view name;
  std::string text;
};
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

// ---- bash ---------------------------------------------------------------------------------------

// Appends a line of `case` for each set of options that commands share.
std::string OptionsForBash(const std::vector<ArgumentOption>& options) {
  std::map<std::string, std::vector<std::string_view>> commands_of;
  for (const NameAndMeaning& command : ArgumentCommands()) {
    std::vector<std::string_view> read;
    for (const ArgumentOption& option : options) {
      const auto& readers = option.readers;
      const bool reads = std::find(readers.begin(), readers.end(), command.name) != readers.end();
      if (reads || readers.empty()) read.push_back(option.name);
    }
    commands_of[SpaceSeparated(read)].push_back(command.name);
  }
  std::string out;
  for (const auto& [read, commands] : commands_of) {
    out += fmt::format("    {}) echo '{}' ;;\n", fmt::join(commands, " | "), read);
  }
  return out;
}

std::string ValuesForBash(const std::vector<ArgumentOption>& options) {
  std::string out;
  for (const ArgumentOption& option : options) {
    if (option.value.kind == Choices::text) continue;
    out += "    " + std::string(option.name) +
           ") kind=" + std::string(kArgumentKinds[option.value.kind]);
    if (!option.value.names.empty()) out += " names='" + SpaceSeparated(option.value.names) + "'";
    out += " ;;\n";
  }
  return out;
}

std::string BashCompletion() {
  const std::vector<ArgumentOption> options = ArgumentOptions();
  std::vector<std::string_view> commands, all;
  for (const NameAndMeaning& command : ArgumentCommands()) commands.push_back(command.name);
  for (const ArgumentOption& option : options) all.push_back(option.name);
  return Filled(kCompletionScriptBash, {{"COMMANDS", SpaceSeparated(commands)},
                                        {"TOPICS", SpaceSeparated(HelpTopics())},
                                        {"OPTIONS_OF", OptionsForBash(options)},
                                        {"ALL", SpaceSeparated(all)},
                                        {"VALUES", ValuesForBash(options)}});
}

// ---- zsh ----------------------------------------------------------------------------------------

std::string ZshQuoted(std::string_view text) { return SingleQuoted(text, "'\\''"); }

std::string ZshPair(std::string_view name, std::string_view value) {
  return "  " + std::string(name) + " " + ZshQuoted(value) + "\n";
}

std::string ZshCompletion() {
  std::string commands, meanings, kinds, values, readers;
  for (const NameAndMeaning& command : ArgumentCommands()) {
    commands +=
        "  " + ZshQuoted(std::string(command.name) + ":" + std::string(command.meaning)) + "\n";
  }
  for (const ArgumentOption& option : ArgumentOptions()) {
    meanings += ZshPair(option.name, option.meaning);
    if (option.value.kind != Choices::text)
      kinds += ZshPair(option.name, kArgumentKinds[option.value.kind]);
    if (!option.value.names.empty())
      values += ZshPair(option.name, SpaceSeparated(option.value.names));
    if (!option.readers.empty()) readers += ZshPair(option.name, SpaceSeparated(option.readers));
  }
  return Filled(kCompletionScriptZsh, {{"COMMANDS", commands},
                                       {"TOPICS", SpaceSeparated(HelpTopics())},
                                       {"MEANINGS", meanings},
                                       {"KINDS", kinds},
                                       {"VALUES", values},
                                       {"READERS", readers}});
}

// ---- fish ---------------------------------------------------------------------------------------

std::string FishQuoted(std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled.append(c == '\\' ? 2 : 1, c);
  return SingleQuoted(doubled, "\\'");
}

// The fish command that completes one option.
std::string FishCommand(const ArgumentOption& option) {
  const std::string name(option.name);
  std::string out = "complete -c tfprof";
  if (!option.readers.empty()) out += " -n '__tfprof_reads " + SpaceSeparated(option.readers) + "'";
  out += name.size() == 1 ? " -s " + name : " -o " + name;
  out += " -l " + name;
  switch (option.value.kind) {
    case Choices::alone:
    case Choices::boolean:  // usually without a value
      break;
    case Choices::text: out += " -x"; break;
    case Choices::word: out += " -x -a " + FishQuoted(SpaceSeparated(option.value.names)); break;
    case Choices::list:
      out += " -x -a " + FishQuoted("(__tfprof_list " + SpaceSeparated(option.value.names) + ")");
      break;
    case Choices::file: out += " -r -F"; break;
    case Choices::output: out += " -r -a " + FishQuoted(SpaceSeparated(option.value.names)); break;
  }
  return out + " -d " + FishQuoted(option.meaning) + "\n";
}

std::string FishCompletion() {
  std::vector<std::string_view> commands;
  std::string lines;
  for (const NameAndMeaning& command : ArgumentCommands()) {
    commands.push_back(command.name);
    lines += "complete -c tfprof -n 'not __tfprof_command >/dev/null' -a " +
             std::string(command.name) + " -d " + FishQuoted(command.meaning) + "\n";
  }
  lines += "complete -c tfprof -n '__tfprof_reads help; and __tfprof_command >/dev/null' -f -a " +
           FishQuoted(SpaceSeparated(commands) + " " + SpaceSeparated(HelpTopics())) + "\n";
  for (const ArgumentOption& option : ArgumentOptions()) lines += FishCommand(option);
  return Filled(kCompletionScriptFish, {{"COMMANDS", SpaceSeparated(commands)}}) + lines;
}

struct Shell {
  std::string_view name;
  std::string (*script)();
};

constexpr Shell kShells[] = {
    {"bash", BashCompletion},
    {"zsh", ZshCompletion},
    {"fish", FishCompletion},
};

}  // namespace

Result<std::string> CompletionScript(std::string_view shell) {
  if (const Shell* known = FindNamed(kShells, shell)) return known->script();
  return UsageError("no completion for '" + std::string(shell) + "'",
                    OneOf(shell, NamesIn(kShells)));
}

}  // namespace tfprof
