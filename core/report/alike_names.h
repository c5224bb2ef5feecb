// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tfprof {

// The min number of rows to fold: a reader compares two adjacent rows, while three or more are a
// list.
constexpr size_t kMinFolded = 3;

// A row that may fold with others.
struct NamedRow {
  std::string_view name;  // may differ in a number
  uint64_t kind = 0;      // only rows of the same kind fold together
  int64_t value = 0;      // decides which rows are outliers
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

// The min value of the outliers among `values`: twice the median (absent values are 0), and at
// least `min_value`.
int64_t MinOutlier(std::vector<int64_t> values, int64_t min_value);

// Groups rows that fold together: at least `min_rows` rows of one kind whose names differ in only
// one number. If a name has several numbers, the one that yields the largest group applies; for
// equal groups, the last. A row that is an outlier in its group (MinOutlier) stays apart, since
// readers look for it. Rows below a quarter of a significant median are grouped again among
// themselves. Groups, including those of a single row, are in the order of their first rows. Cost:
// linear in the bytes of the names.
RowGroups GroupAlike(std::span<const NamedRow> rows, int64_t min_value,
                     size_t min_rows = kMinFolded);

}  // namespace tfprof
