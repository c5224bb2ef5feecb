// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

namespace tfprof {

inline constexpr char kHexDigits[] = "0123456789abcdef";

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Converts capital letters to small ones (ASCII only).

inline char SmallLetter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
inline std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = SmallLetter(c);
  return lower;
}
inline bool SameAnyCase(char a, char b) { return SmallLetter(a) == SmallLetter(b); }

inline bool EqualAnyCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), SameAnyCase);
}

inline bool BeginsWithAnyCase(std::string_view text, std::string_view part) {
  return text.size() >= part.size() &&
         std::equal(part.begin(), part.end(), text.begin(), SameAnyCase);
}

// Returns true if `text` contains `part`; an empty part is in every text.
inline bool ContainsAnyCase(std::string_view text, std::string_view part) {
  if (part.empty()) return true;
  for (; text.size() >= part.size(); text.remove_prefix(1)) {
    // Most places differ in the first letter.
    if (SameAnyCase(text.front(), part.front()) && BeginsWithAnyCase(text, part)) return true;
  }
  return false;
}

}  // namespace tfprof
