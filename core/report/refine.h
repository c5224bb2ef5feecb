// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// Applies -where, -order_by COLUMN, -n and -columns, in this order, to the tables of any view. Each
// applies to the tables with the column, -n to all. Tables whose rows refer to rows of the first
// one (a column of role row_of_first) only follow it, as do the cursors, and count in omitted_rows
// the rows that -n cut with the first. A column is named by its id or its heading
// (core/report/column_names.h).
// - Where: keeps rows that match all terms, and in a tree also their ancestors. An absent cell
//   matches only `!=`; the value `-` means absent. A list matches if one of its texts does. `~`
//   finds an RE2 expression anywhere in a text. Numbers may have units (core/base/units.h).
// - Order: numbers descend, texts ascend, absent values are last, ties keep their order. Lists
//   only, since views order their trees.
// - Rows: keeps the first ones; a tree is in depth-first order, so parents are kept. The others are
//   counted in omitted_rows, and their measures are added to omitted_sum.
// - Columns: shows the named ones, in that order.
// Error: usage (no such column, or a value that does not fit it), with the valid names. Discard the
// report after an error.
Result<void> Refine(Report& report, const Display& display);

// Keeps `most` rows of each table that follows the first one; negative: all. Human-readable tables
// only: machine-readable formats, whose readers join the tables, get all rows that refer to the
// first table.
void CutFollowing(int64_t most, Report* report);

}  // namespace tfprof
