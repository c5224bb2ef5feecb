// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tfprof {

// Two rows side by side are what a reader compares; from three on they are a list.
constexpr size_t kFewestFolded = 3;

// One of the names that may stand together.
struct NamedRow {
  std::string_view name;  // what may differ
  uint64_t kind = 0;      // only rows of one kind stand together
  int64_t value = 0;      // by which a row stands out
};

// Group g is rows[first[g] .. first[g + 1]), which ascend; some groups are empty.
struct RowGroups {
  std::vector<uint32_t> first;
  std::vector<uint32_t> rows;

  size_t size() const { return first.size() - 1; }
  std::span<const uint32_t> operator[](size_t group) const {
    return std::span(rows).subspan(first[group], first[group + 1] - first[group]);
  }
};

// The least value of those that stand out among `values`: twice the middle one (of absent ones, 0),
// and `least_value` at least.
int64_t LeastOutstanding(std::vector<int64_t> values, int64_t least_value);

// Which rows stand together: `fewest` at least of one kind whose names differ in one number only;
// of several numbers the one that brings most rows together, of equal ones the last. A row that
// stands out in its group (LeastOutstanding) is what a reader looks for and stays apart; those of
// less than a quarter of a middle value that counts are looked at again as a group of their own.
// Groups, also those of a row alone, are in the order of their first rows. Costs the bytes of the
// names.
RowGroups GroupAlike(std::span<const NamedRow> rows, int64_t least_value,
                     size_t fewest = kFewestFolded);

}  // namespace tfprof
