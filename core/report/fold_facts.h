// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/report/report.h"

namespace tfprof {

// The facts about each row of a table that folding (core/report/fold_plan.h) needs.
struct RowFacts {
  std::vector<std::string_view> name;  // without the name of the parent
  // The hash of the name: rows of one place fold together in parents that fold. l_3/l_3_bias has
  // the place of l_4/l_4_bias.
  std::vector<uint64_t> place;
  std::vector<uint64_t> kind;  // hash of the descendants, in any order, and of cells of Folds::same
  std::vector<int64_t> value;  // kNoInt: absent, or the table has no measure
  std::vector<uint32_t> block;  // in Table::blocks_by, ascending
};
RowFacts RowFactsOf(const Table& table, const ReportColumn& names);

// The parent of a row; table.rows if it has none.
inline size_t ParentOf(const Table& table, size_t row) {
  const bool has_parent = table.tree && table.parent[row] != Table::kNoRow;
  return has_parent ? table.parent[row] : table.rows;
}

}  // namespace tfprof
