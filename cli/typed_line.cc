// SPDX-License-Identifier: Apache-2.0
#include "cli/typed_line.h"

#include <algorithm>

namespace tfprof {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t'; }
bool IsQuote(char c) { return c == '\'' || c == '"'; }

bool NeedsQuotes(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return IsBlank(c) || IsQuote(c); });
}

// Reads the word that begins at `from`.
Word TypedWord(size_t from, bool quotes, TypedLine* line) {
  const std::string_view raw = line->raw;
  Word word{.text = {}, .begin = from, .end = 0};
  line->at.clear();
  size_t begin = from;  // of the next letter or the quote before it
  size_t i = from;
  for (; i < raw.size() && (line->quote != 0 || !IsBlank(raw[i])); ++i) {
    const bool opens = quotes && line->quote == 0 && IsQuote(raw[i]);
    const bool closes = line->quote != 0 && raw[i] == line->quote;
    if (opens) line->quote_at = begin = i;
    if (closes) begin = i + 1;
    if (opens || closes) {
      line->quote = opens ? raw[i] : '\0';
      continue;
    }
    const bool escapes = line->quote == '"' && raw.substr(i).starts_with("\\\"");
    word.text += raw[escapes ? ++i : i];
    line->at.push_back(begin);
    begin = i + 1;
  }
  line->at.push_back(begin);
  word.end = i;
  return word;
}

// As it stands within `quote`; \" is for double ones alone.
std::string Within(char quote, std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == quote) out += '\\';
    out += c;
  }
  return out;
}

// How a candidate that takes the place of raw[from, end) is typed.
std::string Typed(const TypedLine& line, size_t from, const std::string& text, bool goes_on) {
  if (line.quote != 0) {
    const std::string within = Within(line.quote, text);
    return from <= line.quote_at ? line.quote + within : within;
  }
  if (!NeedsQuotes(text)) return text;
  const char quote = text.find('\'') == text.npos ? '\'' : '"';
  std::string typed = quote + Within(quote, text);
  if (!goes_on) typed += quote;
  return typed;
}

}  // namespace

TypedLine ReadTyped(std::string_view line, bool classic) {
  TypedLine typed{.raw = line, .plain = {}, .words = {}, .at = {}};
  for (size_t at = 0; at < line.size();) {
    while (at < line.size() && IsBlank(line[at])) ++at;
    if (at == line.size()) break;
    typed.words.push_back(TypedWord(at, !classic, &typed));
    at = typed.words.back().end;
  }
  if (typed.words.empty() || typed.words.back().end < line.size()) {
    typed.words.push_back({.text = {}, .begin = line.size(), .end = line.size()});
    typed.at = {line.size()};
  }
  const Word& last = typed.words.back();
  typed.plain = std::string(line.substr(0, last.begin)) + last.text;
  return typed;
}

Completion InQuotes(const TypedLine& line, Completion completion) {
  const size_t word = line.words.back().begin;
  if (completion.from < word) return completion;
  completion.from = line.at[completion.from - word];
  if (completion.joins_words && line.quote == 0) return completion;
  // A single quote has no place within single ones.
  if (line.quote == '\'') {
    std::erase_if(completion.candidates,
                  [](const std::string& text) { return text.find('\'') != text.npos; });
  }
  const bool goes_on = completion.after.empty() && !completion.in_list;
  for (std::string& text : completion.candidates) {
    text = Typed(line, completion.from, text, goes_on);
  }
  if (completion.more > 0)
    completion.shared = Typed(line, completion.from, completion.shared, true);
  if (line.quote != 0 && !completion.after.empty()) completion.after.insert(0, 1, line.quote);
  return completion;
}

}  // namespace tfprof
