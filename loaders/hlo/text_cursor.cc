// SPDX-License-Identifier: Apache-2.0
#include "loaders/hlo/text_cursor.h"

#include <charconv>

namespace tfprof::hlo {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kOpening = "([{";
constexpr std::string_view kClosing = ")]}";

bool IsIn(char c, std::string_view set) { return set.find(c) != set.npos; }

}  // namespace

void TextCursor::SkipBlanks() {
  while (at_ != end_ && IsIn(*at_, kBlanks)) ++at_;
}

void TextCursor::SkipLine() {
  while (at_ != end_ && *at_ != '\n') ++at_;
}

void TextCursor::SkipSpace() {
  for (;;) {
    while (at_ != end_ && (IsIn(*at_, kBlanks) || *at_ == '\n')) ++at_;
    if (StartsWith("//")) {
      SkipLine();
    } else if (StartsWith("/*")) {
      const std::string_view rest(at_, static_cast<size_t>(end_ - at_));
      const size_t close = rest.find("*/", 2);
      at_ = close == rest.npos ? end_ : at_ + close + 2;
    } else {
      return;
    }
  }
}

bool TextCursor::Take(std::string_view text) {
  if (!StartsWith(text)) return false;
  at_ += text.size();
  return true;
}

bool TextCursor::TakeWord(std::string_view word) {
  const auto left = static_cast<size_t>(end_ - at_);
  if (!StartsWith(word)) return false;
  if (left > word.size() && !IsIn(at_[word.size()], " \t\r\n")) return false;
  at_ += word.size();
  SkipSpace();
  return true;
}

std::string_view TextCursor::Name() {
  Take("%");
  const char* begin = at_;
  while (at_ != end_ && !IsIn(*at_, " \t\r\n,=()[]{}")) ++at_;
  return {begin, static_cast<size_t>(at_ - begin)};
}

std::optional<int64_t> TextCursor::Number() {
  int64_t number = 0;
  const auto [after, error] = std::from_chars(at_, end_, number);
  if (error != std::errc()) return std::nullopt;
  at_ = after;
  return number;
}

std::string_view TextCursor::Quoted() {
  if (Peek() != '"') return {};
  const char* begin = at_++;
  while (at_ != end_ && *at_ != '"') at_ += *at_ == '\\' && end_ - at_ > 1 ? 2 : 1;
  if (at_ == end_) return {};
  ++at_;
  return {begin, static_cast<size_t>(at_ - begin)};
}

std::string_view TextCursor::Balanced() {
  const char* begin = at_;
  size_t depth = 0;
  do {
    if (at_ == end_) return {};
    if (*at_ == '"') {
      if (Quoted().data() == nullptr) return {};
      continue;
    }
    if (IsIn(*at_, kOpening)) ++depth;
    if (IsIn(*at_, kClosing) && depth > 0) --depth;
    ++at_;
  } while (depth > 0);
  return {begin, static_cast<size_t>(at_ - begin)};
}

std::string_view TextCursor::Value(bool ends_at_blank) {
  const char* begin = at_;
  while (at_ != end_ && *at_ != ',' && *at_ != '\n' && !IsIn(*at_, kClosing)) {
    if (ends_at_blank && IsIn(*at_, kBlanks)) break;
    if (*at_ == '"' || IsIn(*at_, kOpening)) {
      if (Balanced().data() == nullptr) return {};
    } else {
      ++at_;
    }
  }
  std::string_view value(begin, static_cast<size_t>(at_ - begin));
  while (!value.empty() && IsIn(value.back(), kBlanks)) value.remove_suffix(1);
  return value;
}

std::string_view NextPart(std::string_view* rest) {
  TextCursor cursor(*rest);
  cursor.SkipSpace();
  const char* begin = cursor.place();
  size_t depth = 0;
  const char* at = begin;
  const char* end = rest->data() + rest->size();
  for (; at != end && (*at != ',' || depth > 0); ++at) {
    if (IsIn(*at, kOpening)) ++depth;
    if (IsIn(*at, kClosing) && depth > 0) --depth;
  }
  std::string_view part(begin, static_cast<size_t>(at - begin));
  while (!part.empty() && IsIn(part.back(), " \t\r\n")) part.remove_suffix(1);
  const char* next = at == end ? end : at + 1;
  *rest = {next, static_cast<size_t>(end - next)};
  return part;
}

}  // namespace tfprof::hlo
