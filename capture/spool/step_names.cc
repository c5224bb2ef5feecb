// SPDX-License-Identifier: Apache-2.0
#include "capture/spool/step_names.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <system_error>

#include "capture/spool/format.h"

namespace tfprof::capture {
namespace {

constexpr std::string_view kStepWords[] = {"step", "iteration", "iter"};
constexpr std::string_view kSeparators = " #:_=-";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool EndsWithAnyCase(std::string_view text, std::string_view end) {
  if (text.size() < end.size()) return false;
  text.remove_prefix(text.size() - end.size());
  for (size_t i = 0; i < end.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(text[i])) != end[i]) return false;
  }
  return true;
}

std::optional<int64_t> NumberAtEnd(std::string_view name) {
  size_t digits = name.size();
  while (digits > 0 && IsDigit(name[digits - 1])) --digits;
  if (digits == name.size()) return std::nullopt;
  std::string_view word = name.substr(0, digits);
  while (!word.empty() && kSeparators.find(word.back()) != kSeparators.npos) word.remove_suffix(1);
  for (const std::string_view step : kStepWords) {
    if (EndsWithAnyCase(word, step)) return IntegerOf(name.substr(digits));
  }
  return std::nullopt;
}

// The next pair begins behind a comma that a key and '=' follow.
size_t EndOfPair(std::string_view pairs) {
  for (size_t comma = pairs.find(','); comma != pairs.npos; comma = pairs.find(',', comma + 1)) {
    size_t end = comma + 1;
    while (end < pairs.size() &&
           (std::isalnum(static_cast<unsigned char>(pairs[end])) != 0 || pairs[end] == '_')) {
      ++end;
    }
    if (end > comma + 1 && end < pairs.size() && pairs[end] == '=') return comma;
  }
  return pairs.size();
}

}  // namespace

std::optional<int64_t> IntegerOf(std::string_view text) {
  int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

EncodedName SplitName(std::string_view text) {
  const size_t hash = text.find('#');
  if (hash == text.npos || hash + 1 >= text.size() || text.back() != '#') return {text, {}};
  return {text.substr(0, hash), text.substr(hash + 1, text.size() - hash - 2)};
}

std::string_view AttributeOf(std::string_view attributes, std::string_view key) {
  std::string_view value;
  while (!attributes.empty()) {
    const size_t end = EndOfPair(attributes);
    const std::string_view pair = attributes.substr(0, end);
    const size_t equals = pair.find('=');
    if (equals != pair.npos && pair.substr(0, equals) == key) value = pair.substr(equals + 1);
    attributes.remove_prefix(std::min(end + 1, attributes.size()));
  }
  return value;
}

std::optional<int64_t> StepNumber(std::string_view text) {
  const EncodedName name = SplitName(text);
  const auto number = IntegerOf(AttributeOf(name.attributes, "step_num"));
  return number.has_value() ? number : NumberAtEnd(name.base);
}

StepPattern::~StepPattern() {
  if (is_set_) regfree(&compiled_);
}

bool StepPattern::Compile(const char* expression) {
  if (is_set_) regfree(&compiled_);
  is_set_ = regcomp(&compiled_, expression, REG_EXTENDED | REG_NOSUB) == 0;
  return is_set_;
}

bool StepPattern::Matches(std::string_view name) const {
  if (!is_set_ || name.size() > kMostTextBytes) return false;
  char text[kMostTextBytes + 1];
  std::memcpy(text, name.data(), name.size());
  text[name.size()] = '\0';
  return regexec(&compiled_, text, 0, nullptr, 0) == 0;
}

}  // namespace tfprof::capture
