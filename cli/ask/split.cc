// SPDX-License-Identifier: Apache-2.0
// Splits lines into commands and words.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/ask/command.h"
#include "cli/message.h"
#include "core/query/options.h"

namespace tfprof {
namespace {

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

}  // namespace

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

}  // namespace tfprof
