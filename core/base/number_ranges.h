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

// The first one at `from` or behind it.
Digits NextDigits(std::string_view text, size_t from);

// Names that are equal but for their numbers, as one: layer_{0..5,7..23}/mlp. Numbers keep their
// leading zeros. Of many ranges some in the middle are `...`. REQUIRES: names is not empty.
std::string WithRanges(std::span<const std::string_view> names);

}  // namespace tfprof
