// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/choices.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/help.h"
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

Completion OptionValue(std::string_view line, size_t from, const Option& option) {
  const Choices choices = ChoicesOf(option);
  switch (choices.kind) {
    case Choices::one:
      return Among(line, from, choices.names);
    case Choices::list:
      return ListValue(line, from, choices.names);
    case Choices::output:
      return OutputValue(line, from, choices.names);
    case Choices::anything:
      break;
  }
  return {.from = from, .candidates = {}, .after = {}};
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

}  // namespace

Completion Complete(std::string_view line) {
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
    if (takes_typed) return OptionValue(line, from, *option);
  }
  if (FindWritingCommand(command) != nullptr && words.size() == 1) return Files(line, from);
  if (!typed.starts_with('-')) return {.from = from, .candidates = {}, .after = {}};
  const size_t equals = typed.find('=');
  if (equals == std::string_view::npos) return OptionNames(line, from, command);
  const Option* option = FindOption(OptionName(typed));
  if (option == nullptr) return {.from = from, .candidates = {}, .after = {}};
  return OptionValue(line, from + equals + 1, *option);
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
