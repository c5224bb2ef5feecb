// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

// A position in XLA's text of a program. Every function moves forward only; none reads past the
// end.

namespace tfprof::hlo {

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  const char* place() const { return at_; }
  bool AtEnd() const { return at_ == end_; }
  // The next character; 0 at the end.
  char Peek() const { return at_ == end_ ? '\0' : *at_; }
  bool StartsWith(std::string_view text) const {
    return std::string_view(at_, static_cast<size_t>(end_ - at_)).starts_with(text);
  }

  // Skips white space and comments. SkipBlanks stays on the line.
  void SkipSpace();
  void SkipBlanks();
  void SkipLine();
  // REQUIRES: not at the end.
  void SkipOne() { ++at_; }

  // Takes the text if it follows here.
  bool Take(std::string_view text);
  // Takes a word and the white space after it, if this word follows here.
  bool TakeWord(std::string_view word);
  // Takes a name without its '%': all characters up to white space, a comma, '=' or a bracket.
  std::string_view Name();
  // Takes an integer; none: no integer follows, or it does not fit.
  std::optional<int64_t> Number();
  // Takes a text with its brackets, from the opening one here to the one that closes it. Null
  // data(): it does not end, or no bracket follows.
  std::string_view Balanced();
  // Takes a text with its quotes, escapes as they are. Null data(): it does not end.
  std::string_view Quoted();
  // Takes the value of an attribute: up to a comma, a closing bracket or the end of the line that
  // is in no brackets and no quotes. In `metadata` and tables, a blank ends it too. Null data(): it
  // does not end.
  std::string_view Value(bool ends_at_blank = false);

 private:
  const char* at_;
  const char* end_;
};

// Splits at the next comma outside of brackets. Returns the part before it, without white space and
// a comment before it, and removes both from `rest`.
std::string_view NextPart(std::string_view* rest);

}  // namespace tfprof::hlo
