// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace tfprof {

// A script that makes `shell` (bash, zsh, fish) complete the program's arguments: commands,
// options, their values, files. It is generated from the tables of flags, commands and options, and
// never runs the program. Error: usage, another shell.
Result<std::string> CompletionScript(std::string_view shell);
std::vector<std::string_view> CompletionShells();

// ---- parts of the scripts

struct NameAndMeaning {
  std::string_view name;
  std::string_view meaning;
};

// The commands that are available on a command line: queries, export commands, and help.
std::vector<NameAndMeaning> ArgumentCommands();

// A flag or an option of a command, without dashes, and its valid values.
struct ArgumentOption {
  enum Kind : uint8_t {
    alone,    // no value
    boolean,  // true, false, or no value
    text,     // free text
    word,     // one of `values`
    list,     // several of `values`, separated by commas
    files,    // a file
    output,   // one of `values`, or file:outfile=FILE
  };
  std::string_view name;
  std::string_view meaning;
  Kind kind = text;
  std::vector<std::string> values;
  // The commands that read it; empty: the program itself.
  std::vector<std::string_view> readers;
};
// By ArgumentOption::Kind, as the scripts name them.
constexpr std::string_view kArgumentKinds[] = {"alone", "boolean", "text",  "word",
                                               "list",  "file",    "output"};

std::vector<ArgumentOption> ArgumentOptions();

// `text` in single quotes, with `quote` in place of each quote in it.
std::string SingleQuoted(std::string_view text, std::string_view quote);

// "a b c"
std::string SpaceSeparated(const auto& names) { return fmt::format("{}", fmt::join(names, " ")); }

// Replaces each of `marks` (@NAME@) in `text`.
struct Mark {
  std::string_view name;
  std::string text;
};
std::string Filled(std::string_view text, const std::vector<Mark>& marks);

std::string BashCompletion();
std::string ZshCompletion();
std::string FishCompletion();

}  // namespace tfprof
