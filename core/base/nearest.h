// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

// The candidate that `word` was probably meant to be, or empty when none is near: up to two slips
// (a letter too many, missing, wrong, or two swapped; one in words of less than six letters), in
// any case; else the only candidate that starts with `word`. Of equally near ones the first.
std::string Nearest(std::string_view word, std::span<const std::string_view> candidates);

// The same, where words that people have for an attribute, as time, lead to it.
std::string MeantBy(std::string_view word, const std::vector<std::string_view>& valid);

// "did you mean 'micros'? one of: ..." for an error about `word`, by MeantBy.
std::string OneOf(std::string_view word, const std::vector<std::string_view>& valid);

}  // namespace tfprof
