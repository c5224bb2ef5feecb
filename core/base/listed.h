// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace tfprof {

// Formats "a, b, c and 2 more", for texts of any type.
template <class Texts>
std::string Listed(const Texts& texts, size_t most = 4) {
  std::string list;
  for (size_t i = 0; i < texts.size() && i < most; ++i) {
    if (i > 0) list += ", ";
    list += texts[i];
  }
  if (texts.size() > most) list += " and " + std::to_string(texts.size() - most) + " more";
  return list;
}

}  // namespace tfprof
