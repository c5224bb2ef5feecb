// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/arith.h"
#include "core/base/sorting.h"

// Percentiles of single executions, for tables whose rows are sums over executions.

namespace tfprof {

struct RowDuration {
  uint32_t row = 0;
  int64_t ps = 0;
};

// The durations of the executions of each row.
class DurationsByRow {
 public:
  // Ignores rows from `rows` on. Cost: linear.
  DurationsByRow(std::span<const RowDuration> all, size_t rows) : first_(rows + 1) {
    for (const RowDuration& one : all) {
      if (one.row < rows) ++first_[one.row + 1];
    }
    for (size_t row = 0; row < rows; ++row) first_[row + 1] += first_[row];
    ps_.resize(first_[rows]);
    std::vector<size_t> next(first_.begin(), first_.end() - 1);
    for (const RowDuration& one : all) {
      if (one.row < rows) ps_[next[one.row]++] = one.ps;
    }
  }

  // By row; kNoInt: it has no executions. Cost: linear.
  std::vector<int64_t> Percentiles(unsigned percent) {
    std::vector<int64_t> found;
    for (size_t row = 0; row + 1 < first_.size(); ++row) {
      const std::span<int64_t> of_row(ps_.data() + first_[row], first_[row + 1] - first_[row]);
      found.push_back(of_row.empty() ? kNoInt : Percentile(of_row, percent));
    }
    return found;
  }

 private:
  std::vector<size_t> first_;  // by row: of `ps_`, and the end
  std::vector<int64_t> ps_;
};

// Gives the durations of groups to the rows that show them: group_of(row) is the number of the only
// group that a row shows.
template <class Rows, class GroupOf>
std::vector<RowDuration> DurationsOfRows(std::span<const RowDuration> of_groups, const Rows& rows,
                                         GroupOf group_of) {
  std::vector<uint32_t> row_of;  // by group
  for (uint32_t row = 0; row < rows.size(); ++row) {
    const size_t group = group_of(rows[row]);
    if (group >= row_of.size()) row_of.resize(group + 1, UINT32_MAX);
    row_of[group] = row;
  }
  std::vector<RowDuration> of_rows;
  for (const RowDuration& one : of_groups) {
    if (one.row < row_of.size()) of_rows.push_back({row_of[one.row], one.ps});
  }
  return of_rows;
}

}  // namespace tfprof
