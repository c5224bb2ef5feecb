// SPDX-License-Identifier: Apache-2.0
#include "core/text/pattern.h"

#include <re2/re2.h>

#include <algorithm>

namespace tfprof {
namespace {

constexpr std::string_view kAny = ".*";

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '/' || c == '-' || c == ':' || c == ',' || c == '=' || c == '@' || c == '~';
}

// The text LIT of `.*LIT.*` if each of its characters is literal; empty otherwise.
std::string_view LiteralInside(std::string_view pattern) {
  if (pattern.size() < 2 * kAny.size() + 1) return {};
  if (!pattern.starts_with(kAny) || !pattern.ends_with(kAny)) return {};
  const std::string_view inside = pattern.substr(kAny.size(), pattern.size() - 2 * kAny.size());
  return std::all_of(inside.begin(), inside.end(), IsWord) ? inside : std::string_view();
}

// `.` matches neither a line end nor bytes that are not UTF-8. Plain ASCII has no such bytes.
bool DotMatchesAll(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<signed char>(c) >= 0 && c != '\n'; });
}

}  // namespace

PatternList::PatternList(std::vector<std::string> patterns) : patterns_(std::move(patterns)) {
  all_ = patterns_.size() == 1 && patterns_[0] == kAny;
  if (all_) return;
  compiled_.reserve(patterns_.size());
  for (const std::string& pattern : patterns_) compiled_.push_back(Compile(pattern, &invalid_));
}

bool PatternList::Matches(std::string_view text) const {
  if (all_) return true;
  for (size_t i = 0; i < compiled_.size(); ++i) {
    if (MatchesAt(i, text)) return true;
  }
  return false;
}

bool PatternList::MatchesAt(size_t index, std::string_view text) const {
  if (all_) return true;
  const Compiled& compiled = compiled_[index];
  if (compiled.is_literal) {
    if (text.find(compiled.literal) == std::string_view::npos) return false;
    if (DotMatchesAll(text)) return true;
  }
  if (compiled.expression == nullptr) return false;
  return re2::RE2::FullMatch(re2::StringPiece(text.data(), text.size()), *compiled.expression);
}

PatternList::Compiled PatternList::Compile(const std::string& pattern,
                                           std::vector<Invalid>* invalid) {
  Compiled compiled;
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto expression = std::make_shared<const re2::RE2>(pattern, options);
  if (!expression->ok()) {
    invalid->push_back({pattern, expression->error()});
    return compiled;
  }
  compiled.expression = std::move(expression);
  compiled.literal = LiteralInside(pattern);
  compiled.is_literal = !compiled.literal.empty();
  return compiled;
}

}  // namespace tfprof
