// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

namespace tfprof {

inline constexpr char kHexDigits[] = "0123456789abcdef";

// The value of a hexadecimal digit; -1 if it is not one.
inline int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char letter = static_cast<char>(c | 0x20);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

// Appends `text` with each %XX as its byte. Returns false if a % does not begin such an escape;
// that % is kept.
inline bool DecodePercent(std::string_view text, std::string* decoded) {
  bool all = true;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool has_digits = text[i] == '%' && i + 2 < text.size();
    const int high = has_digits ? HexValue(text[i + 1]) : -1;
    const int low = has_digits ? HexValue(text[i + 2]) : -1;
    const bool escaped = high >= 0 && low >= 0;
    all = all && (escaped || text[i] != '%');
    *decoded += escaped ? static_cast<char>(16 * high + low) : text[i];
    if (escaped) i += 2;
  }
  return all;
}

inline constexpr std::string_view kWhitespace = " \t\n\v\f\r";

// The text without these characters at its ends.
inline std::string_view Trimmed(std::string_view text, std::string_view at_ends = kWhitespace) {
  const size_t begin = text.find_first_not_of(at_ends);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(at_ends) - begin + 1);
}

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
