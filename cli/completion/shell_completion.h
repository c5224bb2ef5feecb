// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace tfprof {

// A script that makes `shell` (bash, zsh, fish) complete the arguments of the program: commands,
// options, their values, files. Made from the tables of flags, commands and options; it never
// runs the program. Error: usage, another shell.
Result<std::string> CompletionScript(std::string_view shell);
std::vector<std::string_view> CompletionShells();

// ---- what the scripts are made of

struct NameAndMeaning {
  std::string_view name;
  std::string_view meaning;
};

// The commands that answer on a command line: questions, what writes files, and help.
std::vector<NameAndMeaning> ArgumentCommands();

// A flag or an option of a command, without dashes, and what may stand behind it.
struct ArgumentOption {
  enum Kind : uint8_t {
    alone,    // takes no value
    boolean,  // takes true or false, or nothing
    text,     // nobody knows what
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
std::vector<ArgumentOption> ArgumentOptions();

// `text` in single quotes, with `quote` in place of each quote in it.
std::string SingleQuoted(std::string_view text, std::string_view quote);

// "a b c"
std::string SpaceSeparated(const auto& names) {
  std::string out;
  for (const auto& name : names) out.append(out.empty() ? "" : " ").append(name);
  return out;
}

// `text` with each of `marks` (@NAME@) replaced.
struct Mark {
  std::string_view name;
  std::string text;
};
std::string Filled(std::string_view text, const std::vector<Mark>& marks);

std::string BashCompletion();
std::string ZshCompletion();
std::string FishCompletion();

}  // namespace tfprof
