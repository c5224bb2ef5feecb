// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "core/base/context.h"
#include "core/report/report.h"

namespace tfprof {

// The id of the column that tells how many rows each row of a folded table stands for.
constexpr std::string_view kFoldedRows = "rows";

// Rows that are alike but for a number stand as one, layer_{0..23} for 24 rows, and what is below
// them likewise; which, says core/report/fold_plan.h. Only tables with a column of Folds::names
// take part. Cells are combined as ColumnSpec::folds says. A table that has such rows then has
// Table::folded and, behind the names, the column `rows`: how many rows each one stands for.
// A list that would become a single row stays as it is. A row that stands for several has no
// Table::node; its samples become its own. Error: cancelled.
Result<void> Fold(Report* report, Context& context);

// Gives the tables that could have folded and did not the column `rows`, too, of ones: what reads
// them then finds the same columns whatever the names of a profile are.
void CountUnfolded(Report* report);

// Leaves of the report the table in which Fold makes a row called `name`, and of it the rows that
// this one stands for, the largest first, without what is below them. Without such a row, the only
// one that is called so within its scope. In another order other rows stand out and fold: where no
// row is called so, but one of `before` was, a folded table that somebody looks at, it is what that
// one stood for. `before` may be null. Errors: usage, there is none, or several; cancelled.
Result<void> Unfold(const std::string& name, const Table* before, Report* report, Context& context);

// The rows that `row` stands for by their names; empty: it is itself.
std::span<const std::string_view> FoldedNames(const Table& table, size_t row);

}  // namespace tfprof
