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
  std::string_view value;    // the placeholder in help; empty: takes no value
  std::string_view meaning;  // empty: for packagers, not in help
  Takes takes;
  // Error: usage, for a bad value.
  Result<void> (*set)(Arguments& arguments, std::string_view value);
};
std::span<const Flag> Flags();
const Flag* FindFlag(std::string_view name);  // without dashes; null: no such flag

// A flag as given, and the word to mark in errors.
struct GivenFlag {
  const Flag* flag;
  std::optional<std::string> value;
  Word word;
};

// Applies the flags in order. Error: usage, with a mark.
Result<void> ParseFlags(const std::vector<GivenFlag>& given, const CommandLine& line,
                        Arguments& arguments);

}  // namespace tfprof
