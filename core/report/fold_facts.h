// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/report/report.h"

namespace tfprof {

// What folding (core/report/fold_plan.h) asks of each row of a table.
struct RowFacts {
  std::vector<std::string_view> name;  // below the parent's
  // Of the name: rows of one place stand together in parents that do. l_3/l_3_bias has that of
  // l_4/l_4_bias.
  std::vector<uint64_t> place;
  std::vector<uint64_t> kind;   // of what is below it, in any order, and of cells of Folds::same
  std::vector<int64_t> value;   // kNoInt: absent, or the table has no measure
  std::vector<uint32_t> block;  // of Table::blocks_by, ascending
};
RowFacts RowFactsOf(const Table& table, const ReportColumn& names);

// The parent of a row; table.rows: it has none.
inline size_t ParentOf(const Table& table, size_t row) {
  const bool has_parent = table.tree && table.parent[row] != Table::kNoRow;
  return has_parent ? table.parent[row] : table.rows;
}

}  // namespace tfprof
