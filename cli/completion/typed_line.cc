// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/completing.h"

#include <algorithm>

namespace tfprof {
namespace {

bool IsQuote(char c) { return c == '\'' || c == '"'; }

bool NeedsQuotes(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return IsBlank(c) || IsQuote(c); });
}

// Reads the word that begins at `from`.
Word TypedWord(size_t from, TypedLine* line) {
  const std::string_view raw = line->raw;
  Word word{.text = {}, .begin = from, .end = 0};
  line->places.clear();
  TypedLine::Place next{from, 0};  // of the next letter or the quote before it
  size_t i = from;
  for (; i < raw.size() && (line->quote != 0 || !IsBlank(raw[i])); ++i) {
    const bool opens = !line->classic && line->quote == 0 && IsQuote(raw[i]);
    const bool closes = line->quote != 0 && raw[i] == line->quote;
    if (opens) line->quote_at = i;
    if (opens || closes) {
      line->quote = opens ? raw[i] : '\0';
      next = {opens ? i : i + 1, 0};
      continue;
    }
    const bool escapes = line->quote == '"' && raw.substr(i).starts_with("\\\"");
    word.text += raw[escapes ? ++i : i];
    line->places.push_back(next);
    next = {i + 1, line->quote};
  }
  line->places.push_back(next);
  word.end = i;
  return word;
}

// `text` as typed within `quote`; \" is valid in double quotes only.
std::string Within(char quote, std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == quote) out += '\\';
    out += c;
  }
  return out;
}

// The quotes of the text that replaces a part of the line.
struct Quoting {
  char opens = 0;   // before it
  char within = 0;  // around it
  char closes = 0;  // after it
};

Quoting QuotingOf(const TypedLine& line, const TypedLine::Place& from) {
  const bool stays = line.quote != 0 && line.quote_at < from.at;
  if (stays) return {.within = line.quote};
  if (from.within != 0) return {.within = from.within, .closes = from.within};
  return {.opens = line.quote, .within = line.quote};
}

std::string Typed(Quoting quoting, const std::string& text, bool continues_list) {
  if (quoting.within == 0) {
    if (!NeedsQuotes(text)) return text;
    const char quote = text.find('\'') == text.npos ? '\'' : '"';
    quoting = {quote, quote, continues_list ? '\0' : quote};
  }
  std::string typed = Within(quoting.within, text);
  if (quoting.opens != 0) typed.insert(0, 1, quoting.opens);
  if (quoting.closes != 0) typed += quoting.closes;
  return typed;
}

}  // namespace

TypedLine ReadTyped(std::string_view line, bool classic) {
  TypedLine typed{.raw = line, .plain = {}, .words = {}, .classic = classic, .places = {}};
  for (size_t at = 0; at < line.size();) {
    while (at < line.size() && IsBlank(line[at])) ++at;
    if (at == line.size()) break;
    typed.words.push_back(TypedWord(at, &typed));
    at = typed.words.back().end;
  }
  if (typed.words.empty() || typed.words.back().end < line.size()) {
    typed.words.push_back({.text = {}, .begin = line.size(), .end = line.size()});
    typed.places = {{line.size(), 0}};
  }
  const Word& last = typed.words.back();
  typed.plain = std::string(line.substr(0, last.begin)) + last.text;
  return typed;
}

Completion InQuotes(const TypedLine& line, Completion completion) {
  const size_t word = line.words.back().begin;
  if (line.classic || completion.from < word) return completion;
  const TypedLine::Place& from = line.places[completion.from - word];
  completion.from = from.at;
  if (completion.joins_words && line.quote == 0) return completion;
  const Quoting quoting = QuotingOf(line, from);
  // Single quotes cannot contain a single quote.
  if (quoting.within == '\'') {
    std::erase_if(completion.candidates,
                  [](const std::string& text) { return text.find('\'') != text.npos; });
  }
  const bool continues_list = completion.after.empty() && !completion.in_list;
  for (std::string& text : completion.candidates) text = Typed(quoting, text, continues_list);
  if (completion.more > 0) completion.shared = Typed(quoting, completion.shared, true);
  const bool open = quoting.within != 0 && quoting.closes == 0;
  if (open && !completion.after.empty()) completion.after.insert(0, 1, quoting.within);
  return completion;
}

}  // namespace tfprof
