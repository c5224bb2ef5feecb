// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"

namespace tfprof {

// A flag of the program itself, as opposed to an option of a command.
struct Flag {
  enum Takes : uint8_t { nothing, text, file, format, shell };  // for completion

  std::string_view name;
  std::string_view value;    // what stands for it in help; empty: takes none
  std::string_view meaning;  // empty: for those who package the program, not in help
  Takes takes;
  // Error: usage, what is wrong with the value.
  Result<void> (*set)(Arguments& arguments, std::string_view value);
};
std::span<const Flag> Flags();
const Flag* FindFlag(std::string_view name);  // without dashes; null: no flag

// A flag as it was given, and the word to mark when it is wrong.
struct GivenFlag {
  const Flag* flag;
  std::optional<std::string> value;
  Word word;
};

// Sets what the flags say, in their order. Error: usage, marked.
Result<void> ParseFlags(const std::vector<GivenFlag>& given, const CommandLine& line,
                        Arguments& arguments);

}  // namespace tfprof
