// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

// The candidate that `word` was probably meant to be; empty: none is near. Accepts up to two slips
// (an extra, missing, wrong or swapped letter; one slip in words of less than six letters), in any
// case; else the only candidate that starts with `word`. Among equally near ones, the first.
std::string Nearest(std::string_view word, std::span<const std::string_view> candidates);

// As Nearest, but also accepts common words for an attribute or option, such as time or limit.
std::string DidYouMean(std::string_view word, const std::vector<std::string_view>& valid);

// Formats "did you mean 'micros'? one of: ..." for an error about `word`, by DidYouMean.
std::string OneOf(std::string_view word, const std::vector<std::string_view>& valid);

// The row of a table with that `name`; null: there is none.
template <class Table>
auto FindNamed(const Table& table, std::string_view name) {
  const auto row = std::find_if(std::begin(table), std::end(table),
                                [&](const auto& r) { return r.name == name; });
  return row == std::end(table) ? nullptr : &*row;
}

// The names of its rows.
template <class Table>
std::vector<std::string_view> NamesIn(const Table& table) {
  std::vector<std::string_view> names;
  for (const auto& row : table) names.push_back(row.name);
  return names;
}

}  // namespace tfprof
