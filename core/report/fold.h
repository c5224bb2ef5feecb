// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "core/base/context.h"
#include "core/report/report.h"

namespace tfprof {

// The id of the column with the number of rows in each row of a folded table.
constexpr std::string_view kFoldedRows = "rows";

// Folds rows that differ only in a number into one row, layer_{0..23} for 24 rows, and likewise the
// rows below them; core/report/fold_plan.h has the rules. Only tables with a column of Folds::names
// fold. Cells are combined by ColumnSpec::folds. A table with folded rows has Table::folded and,
// after the names, the column `rows`: the number of rows in each folded row. A list that would
// become a single row stays unchanged. A folded row has no Table::node; the samples of its rows
// become its own. Error: cancelled.
Result<void> Fold(Report* report, Context& context);

// Adds the column `rows`, with ones, to tables that could fold but did not, so that readers find
// the same columns for any names in a profile.
void CountUnfolded(Report* report);

// Keeps only the table in which Fold makes a row named `name`, and in it only the rows of that
// folded row, the largest first, without the rows below them. Without such a row, the only row with
// that name inside a scope applies. Another order has other outliers and folds other rows: if no
// row has the name but a row of `before`, a folded table on the screen, has it, keeps the rows of
// that one. `before` may be null. Errors: usage, there is none, or several; cancelled.
Result<void> Unfold(const std::string& name, const Table* before, Report* report, Context& context);

// The names of the rows that are folded into `row`; empty: it is not folded.
std::span<const std::string_view> FoldedNames(const Table& table, size_t row);

}  // namespace tfprof
