// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bitset>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/query/query.h"

namespace tfprof {

// A word of a command and where it stood: [begin, end) of its line, quotes included.
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
  std::string text;  // what the user typed, for showing where an error is
  std::vector<Word> words;
  Redirect redirect;
};

// The original's splitting: at runs of spaces only, quotes are letters.
CommandLine SplitClassic(std::string_view text);

// Splitting as people expect: blanks separate, '..' and ".." keep together (a backslash is a
// letter, except before a " within ".."), and > >> | as words of their own send the answer away.
// Error: usage: a quote that is not closed, nothing after > or |.
Result<CommandLine> SplitShell(std::string_view text);

// One line of words that were separate already, quoted where they need it.
CommandLine JoinWords(const std::vector<std::string>& words);

constexpr size_t kMaxOptions = 64;
using OptionSet = std::bitset<kMaxOptions>;  // by OptionIndex

struct ParsedOptions {
  Query query;
  OptionSet given;
  std::vector<Word> given_words;  // the word that named each given option, in order
  std::vector<Word> words;        // what is neither an option nor its value
};

// Reads `-name value`, `-name=value` and both with two dashes; the last of two equal ones counts.
// `classic`: the original's commands, where an order is one of its own and a flag takes the next
// word unless that begins with a dash. Error: usage; nothing of the line counts then.
Result<ParsedOptions> ParseOptions(const CommandLine& line, std::span<const Word> words,
                                   const Query& base, bool classic);

// Error: usage: `word`, which the command has no use for or could do without, was meant as the
// value of the flag before it.
Result<void> CheckFlagBefore(const CommandLine& line, const Word& word);

// Whether `word` is to be read as an option, and its name without dashes and without "=value".
bool IsOption(std::string_view word);
std::string_view OptionName(std::string_view word);

// `error` with the line and a mark under `word` as its place.
Error AtWord(Error error, const CommandLine& line, const Word& word);

}  // namespace tfprof
