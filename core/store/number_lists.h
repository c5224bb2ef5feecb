// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <charconv>
#include <cstdint>
#include <string_view>

#include "core/base/ascii.h"

namespace tfprof {

// Reads nested lists of numbers, such as the shapes [[64, 32], []]. Calls open(depth), close(depth)
// and number(depth, n), where the outermost list has depth 1, and a number beside all lists depth
// 0. Returns false if the text is malformed; what was read until then was passed on.
template <class Open, class Close, class Number>
bool ReadNumberLists(std::string_view text, Open open, Close close, Number number) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '[') {
      open(++depth);
    } else if (c == ']') {
      if (depth == 0) return false;
      close(depth--);
    } else if (IsDigit(c) || c == '-') {
      int64_t value = 0;
      const auto read = std::from_chars(text.data() + i, text.data() + text.size(), value);
      if (read.ec != std::errc()) return false;
      number(depth, value);
      i = static_cast<size_t>(read.ptr - text.data()) - 1;
    } else if (c != ',' && c != ' ') {
      return false;
    }
  }
  return depth == 0;
}

}  // namespace tfprof
