// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tfprof {

// A run of digits in a text; begin == end: there is none.
struct Digits {
  size_t begin = 0;
  size_t end = 0;
};

// The first run of digits at or after `from`.
Digits NextDigits(std::string_view text, size_t from);

// Combines names that differ only in numbers: layer_{0..5,7..23}/mlp. Numbers keep their leading
// zeros. Long lists of ranges have `...` in the middle. REQUIRES: names is not empty.
std::string WithRanges(std::span<const std::string_view> names);

}  // namespace tfprof
