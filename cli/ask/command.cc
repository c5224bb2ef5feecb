// SPDX-License-Identifier: Apache-2.0
#include "cli/ask/command.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/message.h"
#include "core/base/nearest.h"
#include "core/query/options.h"

namespace tfprof {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// The marks that end the name of a command, as in op|head. Other words may contain them: a|b is an
// expression.
constexpr std::string_view kMarks = "|>";

// Reads the word at *at of a shell-like line. An unquoted character of `ends` ends it.
Result<Word> ShellWord(const CommandLine& line, std::string_view ends, size_t* at) {
  const std::string& text = line.text;
  Word word{.text = {}, .begin = *at, .end = 0};
  size_t i = *at;
  while (i < text.size() && !IsBlank(text[i]) && (i == *at || ends.find(text[i]) == ends.npos)) {
    const char quote = text[i];
    if (quote != '"' && quote != '\'') {
      word.text += text[i++];
      continue;
    }
    const size_t opened = i++;
    while (i < text.size() && text[i] != quote) {
      if (quote == '"' && text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '"') ++i;
      word.text += text[i++];
    }
    if (i == text.size()) {
      return Refused(line, {{}, opened, text.size()}, "unclosed quote");
    }
    ++i;
  }
  word.end = i;
  *at = i;
  return word;
}

// The word at *at: a mark right behind the name of the command, or all up to a blank.
Result<Word> NextWord(const CommandLine& line, size_t* at) {
  const std::string_view text = line.text;
  const bool is_first = line.words.empty();
  const bool touches_first = line.words.size() == 1 && line.words[0].end == *at;
  if (!touches_first) return ShellWord(line, is_first ? kMarks : std::string_view(), at);
  const size_t length = text.substr(*at).starts_with(">>") ? 2 : 1;
  Word mark{.text = std::string(text.substr(*at, length)), .begin = *at, .end = *at + length};
  *at += length;
  return mark;
}

Redirect::Kind RedirectKind(const Word& word) {
  if (word.end - word.begin != word.text.size()) return Redirect::none;  // it was quoted
  if (word.text == ">") return Redirect::write;
  if (word.text == ">>") return Redirect::append;
  return word.text == "|" ? Redirect::pipe : Redirect::none;
}

// Reads the words after the mark `line.words.back()`: a file, or a whole shell command.
Result<void> ReadRedirect(CommandLine& line, Redirect::Kind kind, size_t at) {
  const Word mark = line.words.back();
  line.words.pop_back();
  line.redirect.kind = kind;
  if (line.words.empty()) return Refused(line, mark, "no command before this");
  const std::string& text = line.text;
  while (at < text.size() && IsBlank(text[at])) ++at;
  if (at == text.size()) {
    return kind == Redirect::pipe
               ? Refused(line, mark, "no command after this", "for example: op | head")
               : Refused(line, mark, "no file after this", "for example: op > op.txt");
  }
  if (kind == Redirect::pipe) {
    line.redirect.target = text.substr(at);
    return {};
  }
  TFPROF_ASSIGN(Word target, ShellWord(line, {}, &at));
  while (at < text.size() && IsBlank(text[at])) ++at;
  if (at < text.size()) {
    return Refused(line, {{}, at, text.size()}, "more than one file",
                   "a redirection must come last");
  }
  line.redirect.target = std::move(target.text);
  return {};
}

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

bool IsOption(std::string_view word) { return word.size() > 1 && word[0] == '-'; }

std::string_view OptionName(std::string_view word) {
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  return word.substr(0, word.find('='));
}

std::string_view ValueIn(std::string_view word) {
  const size_t equals = IsOption(word) ? word.find('=') : word.npos;
  return equals == word.npos ? word : word.substr(equals + 1);
}

std::vector<std::string_view> SplitCommands(std::string_view text) {
  std::vector<std::string_view> commands;
  size_t begin = 0, words = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins = i == begin || IsBlank(text[i - 1]);
    const bool ends = i + 1 == text.size() || IsBlank(text[i + 1]);
    if (begins && !IsBlank(c)) ++words;
    if (quote != 0) {
      if (quote == '"' && c == '\\' && !ends && text[i + 1] == '"')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '|' && ((begins && ends) || words == 1)) {
      break;  // the rest is for a shell
    } else if (c == ';' && ends) {
      commands.push_back(text.substr(begin, i - begin));
      begin = i + 1;
      words = 0;
    }
  }
  commands.push_back(text.substr(begin));
  if (commands.size() > 1) {
    std::erase_if(commands,
                  [](std::string_view one) { return one.find_first_not_of(" \t") == one.npos; });
  }
  return commands;
}

CommandLine SplitClassic(std::string_view text) {
  CommandLine line{.text = std::string(text), .words = {}, .redirect = {}};
  size_t begin = text.find_first_not_of(' ');
  while (begin != std::string_view::npos) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    line.words.push_back({std::string(text.substr(begin, end - begin)), begin, end});
    begin = text.find_first_not_of(' ', end);
  }
  return line;
}

Result<CommandLine> SplitShell(std::string_view text) {
  CommandLine line{.text = std::string(text), .words = {}, .redirect = {}};
  size_t at = 0;
  while (true) {
    while (at < text.size() && IsBlank(text[at])) ++at;
    if (at == text.size()) return line;
    TFPROF_ASSIGN(Word word, NextWord(line, &at));
    const Redirect::Kind kind = RedirectKind(word);
    line.words.push_back(std::move(word));
    if (kind == Redirect::none) continue;
    TFPROF_TRY(ReadRedirect(line, kind, at));
    return line;
  }
}

CommandLine JoinWords(const std::vector<std::string>& words) {
  CommandLine line;
  for (const std::string& word : words) {
    if (!line.text.empty()) line.text += ' ';
    const size_t begin = line.text.size();
    line.text += AsWord(word);
    line.words.push_back({word, begin, line.text.size()});
  }
  return line;
}

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
