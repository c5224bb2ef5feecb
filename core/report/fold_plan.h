// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/report/report.h"

namespace tfprof {

// The rows of a folded table: row i stands for rows members[first[i] .. first[i + 1]) of the table
// before, of which the first lends it everything that is not combined.
struct FoldPlan {
  std::vector<uint32_t> first{0};
  std::vector<uint32_t> members;

  size_t rows() const { return first.size() - 1; }
  std::span<const uint32_t> Members(size_t row) const {
    return std::span(members).subspan(first[row], first[row + 1] - first[row]);
  }
};

// Which rows of `table` stand together: siblings (all rows of a list) that
// core/report/alike_names.h takes together, with the same below them: as many rows with the same
// names behind theirs, apart from the number that tells them apart, and equal cells in columns of
// Folds::same. What is below folded rows folds with them; so a row stays apart when one below it
// stands out among its like. Depth first; the order is that of the table, folded rows where
// Table::ordered_by puts them. Each row is looked at once on every level of names, those large
// enough to stand out again for every range above them, of which each triples the rows: linear.
// `names`: the column of Folds::names. Error: cancelled.
Result<FoldPlan> PlanFold(const Table& table, const ReportColumn& names, Context& context);

}  // namespace tfprof
