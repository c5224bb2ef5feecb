// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cctype>
#include <string_view>

namespace tfprof {

// Capital letters are small ones here (ASCII).

inline bool SameAnyCase(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// Whether `part` stands in `text`; an empty one does in every text.
inline bool ContainsAnyCase(std::string_view text, std::string_view part) {
  return part.empty() ||
         std::search(text.begin(), text.end(), part.begin(), part.end(), SameAnyCase) != text.end();
}

inline bool BeginsWithAnyCase(std::string_view text, std::string_view part) {
  return text.size() >= part.size() &&
         std::equal(part.begin(), part.end(), text.begin(), SameAnyCase);
}

}  // namespace tfprof
