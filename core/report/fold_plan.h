// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/report/report.h"

namespace tfprof {

// The rows of a folded table: row i combines rows members[first[i] .. first[i + 1]) of the original
// table; everything that is not combined comes from the first of them.
struct FoldPlan {
  std::vector<uint32_t> first{0};
  std::vector<uint32_t> members;

  size_t rows() const { return first.size() - 1; }
  std::span<const uint32_t> Members(size_t row) const {
    return std::span(members).subspan(first[row], first[row + 1] - first[row]);
  }
};

// Decides which rows of `table` fold together. They are siblings (for a list, any rows) that
// core/report/alike_names.h groups, whose descendants match: the same number of rows, with the same
// names after theirs apart from the differing number, and with equal cells in columns of
// Folds::same. The rows below folded rows fold with them, so a row stays apart if one of its
// descendants is an outlier among its counterparts. The rows are depth-first, in the order of the
// table; folded rows are where Table::ordered_by puts them. Each row is visited once per level of
// names, and rows large enough to be outliers once more per range above them, each of which triples
// the rows: linear. `names`: the column of Folds::names. Error: cancelled.
Result<FoldPlan> PlanFold(const Table& table, const ReportColumn& names, Context& context);

}  // namespace tfprof
