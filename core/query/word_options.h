// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/query/options.h"

// The words of a command line, and options of the commands that read their own: `capture`, `watch`,
// `tfprof-client`.

namespace tfprof {

// IsOption returns true if `word` is read as an option. OptionName returns its name without dashes
// and without "=value".
bool IsOption(std::string_view word);
std::string_view OptionName(std::string_view word);
// The value in "-name=value"; else the whole word.
std::string_view ValueIn(std::string_view word);

// What help shows of an option.
struct DeclaredOption {
  std::string_view name;
  std::string_view value;  // placeholder; empty: a flag
  std::string_view meaning;
};

// An option of a command whose arguments are a `Words`.
template <class Words>
struct WordOption : DeclaredOption {
  Result<void> (*set)(Words& words, const std::string& value);
};

struct GivenWord {
  static constexpr size_t kNoOption = ~size_t{0};

  size_t option = kNoOption;  // which one of the declared
  std::string text;           // its value; without an option, the word
};

// Reads `-name value`, `-name=value`, both with two dashes, and flags. Names may have - for _.
// Error: usage.
Result<std::vector<GivenWord>> ReadWords(const std::vector<std::string>& args,
                                         std::span<const DeclaredOption> options,
                                         std::string_view command);

// The argument of a program that gives the option its value.
std::string AsArgument(const DeclaredOption& option, std::string_view value);

// Returns `error` as one about the value of the option.
Error AboutValue(std::string_view option, Error error);

template <class Options>
std::vector<DeclaredOption> DeclaredIn(const Options& options) {
  return {std::begin(options), std::end(options)};
}

// Sets the option. Errors: those of its setter, about the value.
template <class Words>
Result<void> SetOne(const WordOption<Words>& option, Words& words, const std::string& value) {
  Result<void> set = option.set(words, value);
  if (!set) return Failure(AboutValue(option.name, std::move(set).error()));
  return set;
}

// Sets the options; returns the words that are none. Error: usage; those of the setters.
template <class Words>
Result<std::vector<std::string>> SetWords(const std::vector<std::string>& args,
                                          std::span<const WordOption<Words>> options,
                                          std::string_view command, Words& words) {
  TFPROF_ASSIGN(const std::vector<GivenWord> all, ReadWords(args, DeclaredIn(options), command));
  std::vector<std::string> others;
  for (const GivenWord& given : all) {
    if (given.option == GivenWord::kNoOption) {
      others.push_back(given.text);
      continue;
    }
    TFPROF_TRY(SetOne(options[given.option], words, given.text));
  }
  return others;
}

// Parses "500ms", "2s", "10m" or "1h". Error: usage: no unit; more than a day; less than 1 ms, but
// for 0 if `least` is 0.
Result<std::chrono::milliseconds> ParseInterval(
    std::string_view text, std::chrono::milliseconds least = std::chrono::milliseconds(1));

// Setters of members.
template <auto kMember, class Words>
Result<void> SetText(Words& words, const std::string& value) {
  words.*kMember = value;
  return {};
}
template <auto kMember, class Words>
Result<void> AddText(Words& words, const std::string& value) {
  (words.*kMember).push_back(value);
  return {};
}
template <auto kMember, class Words>
Result<void> SwitchOn(Words& words, const std::string&) {
  words.*kMember = true;
  return {};
}
template <auto kMember, int64_t kLow, int64_t kHigh, class Words>
Result<void> SetCount(Words& words, const std::string& value) {
  TFPROF_ASSIGN(words.*kMember, ParseNumber(value, Unit::count, kLow, kHigh));
  return {};
}
template <auto kMember, int64_t kLeast, class Words>
Result<void> SetInterval(Words& words, const std::string& value) {
  TFPROF_ASSIGN(words.*kMember, ParseInterval(value, std::chrono::milliseconds(kLeast)));
  return {};
}

}  // namespace tfprof
