// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/completion.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "cli/answer/folding.h"
#include "cli/ask/command.h"
#include "cli/completion/completing.h"
#include "cli/export/writing.h"
#include "cli/help.h"
#include "cli/shell/commands.h"
#include "cli/shell/session.h"

namespace tfprof {
namespace {

std::vector<std::string> Strings(const std::vector<std::string_view>& names) {
  return {names.begin(), names.end()};
}

// Completes options that `command` reads, with as many dashes as were typed.
Completion OptionNames(const CompletionRequest& request, size_t from, std::string_view command) {
  const std::string dashes = request.line.substr(from).starts_with("--") ? "--" : "-";
  std::vector<std::string> names;
  for (const Option& option : Options()) {
    if (command == "set" && Reads(kUnkeptOptions, option)) continue;
    if (Reads(OptionsOf(command), option)) names.push_back(dashes + std::string(option.name));
  }
  if (command == "set") names.emplace_back("hints");
  return Among(request, from, names);
}

Completion HelpWord(const CompletionRequest& request, size_t from) {
  std::vector<std::string> names = Strings(CommandNames());
  for (const std::string_view topic : HelpTopics()) names.emplace_back(topic);
  for (const Option& option : Options()) names.push_back("-" + std::string(option.name));
  return Among(request, from, names);
}

bool TakesSubjects(std::string_view command) {
  return command == "peek" || command == "why" || command == "find";
}

bool TakesNames(std::string_view command) {
  constexpr std::string_view kCommands[] = {"focus", "ignore", "show", "hide"};
  return std::find(std::begin(kCommands), std::end(kCommands), command) != std::end(kCommands);
}

// Completes a word of a command that is not an option.
Completion CompleteArgument(const CompletionRequest& request, size_t from,
                            const std::string& command, bool first) {
  if (first && (FindWritingCommand(command) != nullptr || ArgumentOf(command) == Subject::base)) {
    return Files(request, from);
  }
  if (command == "set" && first) return OptionNames(request, from, command);
  if (request.session == nullptr) return Nothing(from);
  if (command == "cd" || command == "ls") return ScopePaths(request, from);
  if (TakesSubjects(command)) return ProfileNames(request, from, NameRequest::subjects);
  if (TakesNames(command)) return ProfileNames(request, from, NameRequest::all);
  if (command == "unfold") return Among(request, from, FoldedRowNames(*request.session));
  return Nothing(from);
}

// Returns true if the command already has all its arguments: `words`, without the word being typed.
bool HasAllWords(const CompletionRequest& request, const std::vector<Word>& words) {
  const std::string& command = words.front().text;
  const int max = command == "unfold" ? 1 : MaxArguments(command);
  const CommandLine line{std::string(request.line), words, {}};
  const auto parsed = ParseOptions(line, std::span(words).subspan(1), Query(), false);
  return max >= 0 && parsed && parsed->words.size() >= static_cast<size_t>(max);
}

// Candidates in list order. Completes the last of `words`.
Completion AsListed(const CompletionRequest& request, std::vector<Word> words) {
  const std::string_view line = request.line;
  const size_t from = words.back().begin;
  words.pop_back();
  while (!words.empty() && words.front().text == "time") words.erase(words.begin());
  if (words.empty()) return Among(request, from, Strings(CommandNames()));

  const std::string& command = words.front().text;
  const std::string& before = words.back().text;
  if (command == "load" || command == "source" || before == ">" || before == ">>") {
    return Files(request, from);
  }
  if (command == "help") return HelpWord(request, from);
  if (command == "set" && before == "hints") return Among(request, from, {"on", "off"});
  const std::string_view typed = line.substr(from);
  if (words.size() > 1 && IsOption(before) && before.find('=') == std::string::npos) {
    const Option* option = FindOption(OptionName(before));
    const bool takes_typed =
        option != nullptr && !(option->type == OptionType::flag && typed.starts_with('-'));
    if (takes_typed) return OptionValue(request, from, *option, command);
  }
  if ((command == "hist" || command == "explain") && request.session != nullptr) {
    // A column, by id or heading: a heading may be all words of the command.
    const size_t begin = words.size() > 1 ? words[1].begin : from;
    Completion completion = Among(request, begin, ColumnNames(*request.session));
    completion.joins_words = true;
    return completion;
  }
  if (!typed.starts_with('-') && HasAllWords(request, words)) return Nothing(from);
  if (!typed.starts_with('-')) return CompleteArgument(request, from, command, words.size() == 1);
  const size_t equals = typed.find('=');
  if (equals == std::string_view::npos) return OptionNames(request, from, command);
  const Option* option = FindOption(OptionName(typed));
  if (option == nullptr) return Nothing(from);
  return OptionValue(request, from + equals + 1, *option, command);
}

}  // namespace

Completion Complete(std::string_view line, const Session* session) {
  const TypedLine typed = ReadTyped(line, session != nullptr && session->classic);
  Completion completion = AsListed({typed.plain, session}, typed.words);
  if (completion.by_cost) return InQuotes(typed, std::move(completion));
  std::vector<std::string>& names = completion.candidates;
  // Natural order: 2 before 10.
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return strverscmp(a.c_str(), b.c_str()) < 0;
  });
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return InQuotes(typed, std::move(completion));
}

std::string LikelyRest(std::string_view line, const Session& session, Context& context) {
  const TypedLine read = ReadTyped(line, session.classic);
  const Completion completion =
      InQuotes(read, AsListed({read.plain, &session, &context}, read.words));
  const std::string_view typed = line.substr(completion.from);
  const bool is_specific = completion.by_cost || typed.find_first_not_of("-'\"") != typed.npos;
  if (!is_specific || completion.candidates.empty()) return {};
  const std::string& first = completion.candidates.front();
  if (!first.starts_with(typed)) return {};  // it needs quotes, which start before it
  const bool closes = read.quote != 0 && completion.after.starts_with(read.quote);
  return first.substr(typed.size()) + (closes ? std::string(1, read.quote) : "");
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
