// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/choices.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/name_completion.h"
#include "cli/session.h"
#include "cli/writing.h"
#include "core/option_values.h"
#include "core/options.h"
#include "emitters/emitter.h"
#include "views/view.h"

namespace tfprof {
namespace {

// Those of `names` that begin with line[from, end).
Completion Among(std::string_view line, size_t from, const std::vector<std::string>& names) {
  Completion completion{.from = from, .candidates = {}, .after = " "};
  for (const std::string& name : names) {
    if (name.starts_with(line.substr(from))) completion.candidates.push_back(name);
  }
  std::sort(completion.candidates.begin(), completion.candidates.end());
  return completion;
}

std::vector<std::string> Strings(const std::vector<std::string_view>& names) {
  return {names.begin(), names.end()};
}

Completion Files(std::string_view line, size_t from) {
  const std::string_view typed = line.substr(from);
  const size_t slash = typed.rfind('/');
  const std::string folder(typed.substr(0, slash == std::string_view::npos ? 0 : slash + 1));
  std::vector<std::string> names;
  std::error_code error;
  const auto entries = std::filesystem::directory_iterator(folder.empty() ? "." : folder, error);
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    const bool hidden = name[0] == '.' && typed.size() == folder.size();
    if (!hidden) names.push_back(folder + name + (entry.is_directory(error) ? "/" : ""));
  }
  Completion completion = Among(line, from, names);
  const bool folder_only =
      completion.candidates.size() == 1 && completion.candidates.front().ends_with('/');
  if (folder_only) completion.after.clear();
  return completion;
}

// Names separated by commas: the last one is completed, those before are not offered again.
Completion ListValue(std::string_view line, size_t from, std::vector<std::string> names) {
  size_t comma = line.find(',', from);
  while (comma != std::string_view::npos) {
    std::erase(names, line.substr(from, comma - from));
    from = comma + 1;
    comma = line.find(',', from);
  }
  Completion completion = Among(line, from, names);
  completion.after.clear();
  return completion;
}

Completion OutputValue(std::string_view line, size_t from, const std::vector<std::string>& names) {
  constexpr std::string_view kFile = "file:outfile=";
  if (line.substr(from).starts_with(kFile)) return Files(line, from + kFile.size());
  Completion completion = Among(line, from, names);
  if (completion.candidates.size() == 1 && completion.candidates[0] == kFile) {
    completion.after.clear();
  }
  return completion;
}

// Names of the profile; a scope may go on.
Completion ProfileNames(std::string_view line, size_t from, const Session& session,
                        bool with_types) {
  Completion completion{.from = from, .candidates = {}, .after = " "};
  completion.candidates = NamesThatBegin(session, line.substr(from), with_types);
  const bool scope =
      completion.candidates.size() == 1 && completion.candidates.front().ends_with('/');
  if (scope) completion.after.clear();
  return completion;
}

// Behind the last comma.
size_t LastOfList(std::string_view line, size_t from) {
  const size_t comma = line.rfind(',');
  return comma == line.npos || comma < from ? from : comma + 1;
}

// Values that only the profile knows; none: it does not.
Completion ValueOfProfile(std::string_view line, size_t from, const Option& option,
                          const Session* session) {
  if (session == nullptr) return {.from = from, .candidates = {}, .after = {}};
  if (option.name == "step") return Among(line, from, StepNumbers(*session));
  if (option.name == "device") return Among(line, from, DeviceNames(*session));
  if (option.name == "host") return Among(line, from, HostNames(*session));
  if (option.name == "under") return ProfileNames(line, from, *session, false);
  if (option.type == OptionType::columns) return ListValue(line, from, ColumnNames(*session));
  const bool names = option.type == OptionType::patterns || Reads(kNameOptions, option);
  if (names) return ProfileNames(line, LastOfList(line, from), *session, true);
  return {.from = from, .candidates = {}, .after = {}};
}

// What an order may be, and the columns of the last table.
std::vector<std::string> Orders(std::vector<std::string> names, const Session* session) {
  if (session != nullptr) {
    for (std::string& id : ColumnNames(*session)) names.push_back(std::move(id));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Completion OptionValue(std::string_view line, size_t from, const Option& option,
                       const Session* session) {
  const Choices choices = ChoicesOf(option);
  switch (choices.kind) {
    case Choices::one:
      if (option.type == OptionType::order)
        return Among(line, from, Orders(choices.names, session));
      return Among(line, from, choices.names);
    case Choices::list:
      return ListValue(line, from, choices.names);
    case Choices::output:
      return OutputValue(line, from, choices.names);
    case Choices::anything:
      break;
  }
  return ValueOfProfile(line, from, option, session);
}

// Options that `command` reads, with as many dashes as were typed.
Completion OptionNames(std::string_view line, size_t from, const std::string& command) {
  const std::string dashes = line.substr(from).starts_with("--") ? "--" : "-";
  std::vector<std::string> names;
  for (const Option& option : Options()) {
    if (command == "set" && Reads(kUnkeptOptions, option)) continue;
    if (Reads(OptionsOf(command), option)) names.push_back(dashes + std::string(option.name));
  }
  return Among(line, from, names);
}

Completion HelpWord(std::string_view line, size_t from) {
  std::vector<std::string> names = Strings(CommandNames());
  for (const std::string_view topic : HelpTopics()) names.emplace_back(topic);
  for (const Option& option : Options()) names.push_back("-" + std::string(option.name));
  return Among(line, from, names);
}

bool TakesNames(std::string_view command) {
  constexpr std::string_view kCommands[] = {"peek", "why", "focus", "ignore", "show", "hide"};
  return std::find(std::begin(kCommands), std::end(kCommands), command) != std::end(kCommands);
}

}  // namespace

Completion Complete(std::string_view line, const Session* session) {
  CommandLine split = SplitClassic(line);
  std::vector<Word>& words = split.words;
  const bool between = words.empty() || words.back().end < line.size();
  const size_t from = between ? line.size() : words.back().begin;
  if (!between) words.pop_back();
  while (!words.empty() && words.front().text == "time") words.erase(words.begin());
  if (words.empty()) return Among(line, from, Strings(CommandNames()));

  const std::string& command = words.front().text;
  const std::string& before = words.back().text;
  if (command == "load" || command == "source" || before == ">" || before == ">>") {
    return Files(line, from);
  }
  if (command == "help") return HelpWord(line, from);
  const std::string_view typed = line.substr(from);
  if (words.size() > 1 && IsOption(before) && before.find('=') == std::string::npos) {
    const Option* option = FindOption(OptionName(before));
    const bool takes_typed =
        option != nullptr && !(option->type == OptionType::flag && typed.starts_with('-'));
    if (takes_typed) return OptionValue(line, from, *option, session);
  }
  if (FindWritingCommand(command) != nullptr && words.size() == 1) return Files(line, from);
  if (!typed.starts_with('-') && session != nullptr) {
    if (command == "cd" || command == "ls") return ProfileNames(line, from, *session, false);
    if (TakesNames(command)) return ProfileNames(line, from, *session, true);
    if (command == "hist" || command == "explain") return Among(line, from, ColumnNames(*session));
  }
  if (command == "diff" && words.size() == 1 && !typed.starts_with('-')) return Files(line, from);
  if (!typed.starts_with('-')) return {.from = from, .candidates = {}, .after = {}};
  const size_t equals = typed.find('=');
  if (equals == std::string_view::npos) return OptionNames(line, from, command);
  const Option* option = FindOption(OptionName(typed));
  if (option == nullptr) return {.from = from, .candidates = {}, .after = {}};
  return OptionValue(line, from + equals + 1, *option, session);
}

std::string CommonPrefix(const std::vector<std::string>& candidates) {
  if (candidates.empty()) return {};
  std::string prefix = candidates.front();
  for (const std::string& other : candidates) {
    size_t same = 0;
    while (same < prefix.size() && same < other.size() && prefix[same] == other[same]) ++same;
    prefix.resize(same);
  }
  return prefix;
}

}  // namespace tfprof
