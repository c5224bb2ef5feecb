// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/base/context.h"
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

// The column of `table` by which its rows fold; null: they do not fold.
const ReportColumn* FoldingNames(const Table& table);

// For each row of the plan, the name for all its members: layer_{0..23}/mlp. New texts are kept in
// `pool`.
std::vector<std::string_view> NamesOfRows(const FoldPlan& plan, const Table& table,
                                          const ReportColumn& names, TextPool* pool);

}  // namespace tfprof
