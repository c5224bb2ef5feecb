// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/intervals/interval.h"
#include "core/base/sorting.h"

namespace tfprof {

// Sorts plain values by their start_ps; equal values keep their order. Reuses its memory.
class StartOrder {
 public:
  template <class Row>
  void Sort(std::span<Row> rows) {
    SortBy(rows, [](const Row& row) { return row.start_ps; });
  }

  // Sorts by another number: of_row(row), an int64_t.
  template <class Row, class OfRow>
  void SortBy(std::span<Row> rows, OfRow of_row) {
    const auto before = [&](const Row& a, const Row& b) { return of_row(a) < of_row(b); };
    if (std::is_sorted(rows.begin(), rows.end(), before)) return;
    const auto [min, max] = std::minmax_element(rows.begin(), rows.end(), before);
    const int64_t first = of_row(*min);
    const auto width = static_cast<uint64_t>(SpanOf(first, of_row(*max)));
    const int row_bits = static_cast<int>(std::bit_width(rows.size()));
    if (static_cast<int>(std::bit_width(width)) + row_bits > 64) {
      return std::stable_sort(rows.begin(), rows.end(), before);
    }
    // Sorting keys of 8 bytes (number, then position) takes a tenth of the time of sorting rows.
    keys_.clear();
    for (size_t i = 0; i < rows.size(); ++i) {
      keys_.push_back(static_cast<uint64_t>(of_row(rows[i]) - first) << row_bits | i);
    }
    SortKeys(&keys_, row_bits, &scratch_);
    const std::vector<Row> old(rows.begin(), rows.end());
    for (size_t i = 0; i < rows.size(); ++i) {
      rows[i] = old[keys_[i] & ((uint64_t{1} << row_bits) - 1)];
    }
  }

 private:
  std::vector<uint64_t> keys_, scratch_;
};

}  // namespace tfprof
