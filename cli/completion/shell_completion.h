// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/choices.h"
#include "core/base/result.h"

namespace tfprof {

// A script that makes `shell` (bash, zsh, fish) complete the program's arguments: commands,
// options, their values, files. It is generated from the tables of flags, commands and options, and
// never runs the program. Error: usage, another shell.
Result<std::string> CompletionScript(std::string_view shell);

struct NameAndMeaning {
  std::string_view name;
  std::string_view meaning;
};

// The commands that are available on a command line: queries, export commands, and help.
std::vector<NameAndMeaning> ArgumentCommands();

// A flag or an option of a command, without dashes.
struct ArgumentOption {
  std::string_view name;
  std::string_view meaning;
  Choices value;
  // The commands that read it; empty: the program itself.
  std::vector<std::string_view> readers;
};
std::vector<ArgumentOption> ArgumentOptions();

}  // namespace tfprof
