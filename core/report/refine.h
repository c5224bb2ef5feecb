// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// What every table takes: -where, -order_by COLUMN, -n and -columns, in this order, whatever view
// made it. Each works on the tables that have the column, -n on all; tables whose rows belong to
// rows of the first one (a column of role row_of_first) just follow it, as the cursors do, and
// count in omitted_rows what -n cut with the first. A column is named by its id or its heading
// (core/report/column_names.h).
// - Where: rows for which all terms hold; of a tree also their ancestors. An absent cell fulfils
//   nothing but `!=`; the value `-` stands for absent. A list holds when one of its texts does. `~`
//   finds an RE2 expression anywhere in a text. Numbers may have units (core/base/units.h).
// - Order: numbers descending, texts ascending, absent last, ties as before; lists only, since a
//   tree is ordered by its view.
// - Rows: the first ones; of a tree in depth-first order, so with their parents. The others are
//   counted in omitted_rows, and their measures added up in omitted_sum.
// - Columns: the named ones are shown, in that order.
// Error: usage (no such column, or a value that does not fit it), naming what would be valid; the
// report is then to be thrown away.
Result<void> Refine(Report& report, const Display& display);

// Leaves `most` rows of the tables that follow the first one, too; less than 0: all. For people:
// programs, which join the tables, get all that belongs to the rows of the first.
void CutFollowing(int64_t most, Report* report);

}  // namespace tfprof
