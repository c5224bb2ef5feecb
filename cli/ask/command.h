// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bitset>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/query/query.h"
#include "core/query/word_options.h"

namespace tfprof {

// A word of a command and its position: [begin, end) of its line, quotes included.
struct Word {
  std::string text;
  size_t begin = 0;
  size_t end = 0;
};

// `> FILE`, `>> FILE` or `| COMMAND` at the end of a command.
struct Redirect {
  enum Kind : uint8_t { none, write, append, pipe };
  Kind kind = none;
  std::string target;
};

struct CommandLine {
  std::string text;  // as typed, for marking errors
  std::vector<Word> words;
  Redirect redirect;
};

// Separates words.
inline bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// Splits a line into its commands, at each unquoted `;` that ends a word: op; scope. What follows
// `|` is for a shell.
std::vector<std::string_view> SplitCommands(std::string_view text);

// Splits as the original does: at runs of spaces only; quotes are letters.
CommandLine SplitClassic(std::string_view text);

// Splits as a shell does: blanks separate, '..' and ".." group (a backslash is a letter, except
// before a " within ".."), and > >> | as separate words redirect the answer. Error: usage: an
// unclosed quote, nothing after > or |.
Result<CommandLine> SplitShell(std::string_view text);

// Joins separate words into one line, with quotes where they are needed.
CommandLine JoinWords(const std::vector<std::string>& words);

constexpr size_t kMaxOptions = 64;
using OptionSet = std::bitset<kMaxOptions>;  // by OptionIndex

struct ParsedOptions {
  Query query;
  OptionSet given;
  std::vector<Word> given_words;  // the word that named each given option, in order
  std::vector<Word> words;        // words that are neither options nor values
};

// Returns true if `given` has the option of that name, which exists.
bool Has(const OptionSet& given, std::string_view name);

// Reads `-name value`, `-name=value` and both with two dashes. The last of two equal options
// applies. `classic`: the original's commands, where only the original's orders are valid and a
// flag takes the next word unless it begins with a dash. Error: usage; then nothing of the line
// applies.
Result<ParsedOptions> ParseOptions(const CommandLine& line, std::span<const Word> words,
                                   const Query& base, bool classic);

// Error: usage, if `word`, which the command cannot use or does not need, was meant as the value of
// the flag before it.
Result<void> CheckFlagBefore(const CommandLine& line, const Word& word);

// Returns `error` with the line and a mark under `word`, or under Error::part of the value in it,
// as its place.
Error AtWord(Error error, const CommandLine& line, const Word& word);
// A usage error at `word`.
Failure Refused(const CommandLine& line, const Word& word, std::string what, std::string hint = {});

}  // namespace tfprof
