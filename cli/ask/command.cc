// SPDX-License-Identifier: Apache-2.0
#include "cli/ask/command.h"

#include <algorithm>

#include "cli/message.h"
#include "core/base/nearest.h"
#include "core/query/options.h"

namespace tfprof {
namespace {

Result<const Option*> NamedOption(const CommandLine& line, const Word& word) {
  const std::string_view name = OptionName(word.text);
  if (const Option* option = FindOption(name)) return option;
  const std::string near = DidYouMean(name, NamesIn(Options()));
  return Refused(line, word, "no option -" + std::string(name),
                 near.empty() ? "`help options` lists them" : "did you mean -" + near + "?");
}

bool IsKnownOption(std::string_view word) {
  return IsOption(word) && FindOption(OptionName(word)) != nullptr;
}

// The value of the option words[*at]; moves *at to the last word of the value.
Result<std::string> OptionValue(const CommandLine& line, std::span<const Word> words, size_t* at,
                                const Option& option, bool classic) {
  const Word& word = words[*at];
  const size_t equals = word.text.find('=');
  if (equals != std::string::npos) return word.text.substr(equals + 1);
  const bool last = *at + 1 == words.size();
  if (option.type == OptionType::flag) {
    const bool alone = last || words[*at + 1].text.starts_with('-') ||
                       (!classic && !ParseBoolean(words[*at + 1].text));
    if (alone) return std::string("true");
  }
  const std::string name = "-" + std::string(option.name);
  // Examples of the original's documentation write an empty value as nothing; it swallows the next
  // option then. A value like an option can be given with =.
  const bool next_is_option = !last && !classic && IsKnownOption(words[*at + 1].text);
  if (next_is_option && option.type == OptionType::patterns) return std::string();
  if (!last && !next_is_option) return words[++*at].text;
  return Refused(line, word, name + " needs a value", name + " " + std::string(option.value));
}

// The original selects and orders by attributes only; its steps are single ones.
Result<void> CheckClassic(const Option& option, std::string_view value, const Query& query) {
  if (query.place.last_step >= 0 || query.place.sum_steps) {
    return UsageError("-step: '" + query.place.StepText() + "' is not a number",
                      "a range of steps needs a profile opened as FILE");
  }
  for (const std::string& word :
       option.type == OptionType::attributes ? SplitList(value) : std::vector<std::string>()) {
    if (FindNamed(Attributes(), word) != nullptr) continue;
    return UsageError("-select: '" + word + "' is not an attribute", OneOf(word, AttributeNames()));
  }
  if (option.type != OptionType::order) return {};
  const std::string& column = query.display.order_column;
  if (OrderNamed(column)) return {};
  return UsageError("-order_by: '" + column + "' is not an order", OneOf(column, OrderNames()));
}

}  // namespace

bool Has(const OptionSet& given, std::string_view name) {
  return given[OptionIndex(*FindOption(name))];
}

Result<ParsedOptions> ParseOptions(const CommandLine& line, std::span<const Word> words,
                                   const Query& base, bool classic) {
  ParsedOptions parsed{.query = base, .given = {}, .given_words = {}, .words = {}};
  for (size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    if (!IsOption(word.text)) {
      parsed.words.push_back(word);
      continue;
    }
    TFPROF_ASSIGN(const Option* option, NamedOption(line, word));
    TFPROF_ASSIGN(const std::string value, OptionValue(line, words, &i, *option, classic));
    Result<void> set = SetOption(*option, value, parsed.query);
    if (set && classic) set = CheckClassic(*option, value, parsed.query);
    if (!set) return Failure(AtWord(std::move(set).error(), line, words[i]));
    if (!parsed.given[OptionIndex(*option)]) parsed.given_words.push_back(word);
    parsed.given.set(OptionIndex(*option));
  }
  return parsed;
}

Result<void> CheckFlagBefore(const CommandLine& line, const Word& word) {
  const auto found = std::find_if(line.words.begin(), line.words.end(),
                                  [&](const Word& one) { return one.begin == word.begin; });
  if (found == line.words.begin() || found == line.words.end()) return {};
  const std::string& before = (found - 1)->text;
  if (!IsOption(before) || before.find('=') != std::string::npos) return {};
  const Option* option = FindOption(OptionName(before));
  if (option == nullptr || option->type != OptionType::flag) return {};
  Query scratch;
  Result<void> set = SetOption(*option, word.text, scratch);
  return set ? set : Failure(AtWord(std::move(set).error(), line, word));
}

Error AtWord(Error error, const CommandLine& line, const Word& word) {
  size_t begin = word.begin, end = word.end;
  const std::string_view typed = std::string_view(line.text).substr(begin, end - begin);
  const std::string_view value = ValueIn(word.text);
  const size_t at = typed.rfind(value);  // its quotes are not part of the word
  if (error.part.end > 0 && error.part.end <= value.size() && at != typed.npos) {
    end = begin + at + error.part.end;
    begin += at + error.part.begin;
  }
  error.where = MarkedLine(line.text, begin, end);
  return error;
}

Failure Refused(const CommandLine& line, const Word& word, std::string what, std::string hint) {
  return Failure(AtWord({ErrorKind::usage, std::move(what), {}, std::move(hint)}, line, word));
}

}  // namespace tfprof
