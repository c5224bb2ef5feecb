// SPDX-License-Identifier: Apache-2.0
#include "core/query/word_options.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/base/nearest.h"
#include "core/query/options.h"

namespace tfprof {
namespace {

using std::chrono::milliseconds;

std::string DeclaredName(std::string_view word) {
  std::string name(OptionName(word));
  std::ranges::replace(name, '-', '_');
  return name;
}

// Finds the option, whose name may have dashes.
size_t IndexOf(std::span<const DeclaredOption> options, std::string_view word) {
  const std::string name = DeclaredName(word);
  const auto found = std::ranges::find_if(options, [&](const DeclaredOption& option) {
    return std::ranges::equal(option.name, name, {}, [](char c) { return c == '-' ? '_' : c; });
  });
  return found == options.end() ? GivenWord::kNoOption
                                : static_cast<size_t>(found - options.begin());
}

Failure Unknown(std::span<const DeclaredOption> options, std::string_view word,
                std::string_view command) {
  const std::string near = DidYouMean(OptionName(word), NamesIn(options));
  return UsageError(fmt::format("no option -{}", OptionName(word)),
                    near.empty() ? fmt::format("tfprof help {} lists them", command)
                                 : fmt::format("did you mean -{}?", near));
}

}  // namespace

bool IsOption(std::string_view word) { return word.size() > 1 && word[0] == '-'; }

std::string_view OptionName(std::string_view word) {
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  return word.substr(0, word.find('='));
}

std::string_view ValueIn(std::string_view word) {
  const size_t equals = IsOption(word) ? word.find('=') : word.npos;
  return equals == word.npos ? word : word.substr(equals + 1);
}

Result<std::vector<GivenWord>> ReadWords(const std::vector<std::string>& args,
                                         std::span<const DeclaredOption> options,
                                         std::string_view command) {
  std::vector<GivenWord> words;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string& word = args[i];
    if (!IsOption(word)) {
      words.push_back({.text = word});
      continue;
    }
    const size_t index = IndexOf(options, word);
    if (index == GivenWord::kNoOption) return Unknown(options, word, command);
    const DeclaredOption& option = options[index];
    const bool has_value = word.find('=') != word.npos;
    if (option.value.empty() && has_value) {
      return UsageError(fmt::format("-{} takes no value", option.name));
    }
    if (!option.value.empty() && !has_value && i + 1 == args.size()) {
      return UsageError(fmt::format("-{} needs a value", option.name),
                        fmt::format("-{} {}", option.name, option.value));
    }
    GivenWord given{index, {}};
    if (!option.value.empty()) given.text = has_value ? ValueIn(word) : args[++i];
    words.push_back(std::move(given));
  }
  return words;
}

std::string AsArgument(const DeclaredOption& option, std::string_view value) {
  return option.value.empty() ? fmt::format("-{}", option.name)
                              : fmt::format("-{}={}", option.name, value);
}

Error AboutValue(std::string_view option, Error error) {
  error.what = fmt::format("-{}: {}", option, error.what);
  return error;
}

Result<milliseconds> ParseInterval(std::string_view text, milliseconds least) {
  constexpr int64_t kUsPerDay = int64_t{24} * 3600 * 1'000'000, kUsPerMs = 1000;
  constexpr const char* kExamples = "500ms, 2s, 10m or 1h";
  const int64_t scale = text.ends_with('m') ? 60 : text.ends_with('h') ? 3600 : 1;
  const std::string seconds =
      scale == 1 ? std::string(text) : fmt::format("{}s", text.substr(0, text.size() - 1));
  const Result<int64_t> count = ParseNumber(seconds, Unit::us, 0, kUsPerDay);
  if (!count) return UsageError(fmt::format("'{}' is not a time", text), kExamples);
  if (*count > kUsPerDay / scale)
    return UsageError(fmt::format("'{}' is longer than a day", text), kExamples);
  const int64_t micros = *count * scale;
  const bool is_zero = micros == 0 && least == milliseconds(0);
  const bool has_unit = text.find_first_not_of("0123456789. ") != text.npos;
  if (!has_unit && !is_zero) return UsageError(fmt::format("'{}' has no unit", text), kExamples);
  if (micros < kUsPerMs && !is_zero) {
    return UsageError(fmt::format("'{}' is less than 1ms, the smallest time", text), kExamples);
  }
  return milliseconds(micros / kUsPerMs);
}

}  // namespace tfprof
