// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/query/condition.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// Applies -where, -order_by COLUMN, -n and -columns, in this order, to the tables of any view. Each
// applies to the tables with the column, -n to all. Tables whose rows refer to rows of the first
// one (a column of role row_of_first) only follow it, as do the cursors, and count in omitted_rows
// the rows that -n cut with the first. A column is named by its id or its heading
// (core/report/column_names.h).
// - Where: keeps rows for which the condition holds, and in a tree also their ancestors. A term
//   about a column that a table lacks is left out of the condition. An absent cell matches only
//   `!=`; the value `-` means absent. A list matches if one of its texts does. `~` finds an RE2
//   expression anywhere in a text. Numbers may have units (core/text/units.h).
// - Order: numbers descend, texts ascend, absent values are last, ties keep their order. Lists
//   only, since views order their trees.
// - Rows: a list keeps the first ones; a tree keeps the heaviest ones with their parents. The
// others
//   are counted in omitted_rows; their measures are added to omitted_sum, in a tree to
//   omitted_below.
// - Columns: shows the named ones, in that order.
// Error: usage (no such column, or a value that does not fit it), with the valid names. Discard the
// report after an error.
Result<void> Refine(Report& report, const Display& display);

// Keeps `max` rows of each table that follows the first one; negative: all. Human-readable tables
// only: machine-readable formats, whose readers join the tables, get all rows that refer to the
// first table.
void CutFollowing(int64_t max, Report* report);

// A -where term bound to a column: the value to compare its cells with.
struct CellTest {
  enum class Op : uint8_t { equal, unequal, less, at_most, more, at_least, like };
  const ReportColumn* column = nullptr;
  Op op = Op::equal;
  bool absence = false;  // the value is `-`
  int64_t integer = 0;
  double real = 0;
  std::string text;
  std::shared_ptr<const re2::RE2> expression;  // for Op::like
};

// Error: usage (no such operator, a value that does not fit the column's type, a bad expression).
Result<CellTest> FitTerm(const Where& term, const ReportColumn& column);

// Returns true if the cell of `row` passes the test.
bool Holds(const CellTest& test, size_t row);

// A condition bound to a table.
struct RowTest {
  Condition::Kind kind = Condition::Kind::all;
  CellTest cell = {};  // if kind is term
  std::vector<RowTest> parts = {};

  bool empty() const { return kind != Condition::Kind::term && parts.empty(); }
};

// Leaves out terms about columns that `table` lacks. Error: as FitTerm.
Result<RowTest> FitCondition(const Condition& condition, const Table& table);
bool Holds(const RowTest& test, size_t row);

bool IsAbsent(const ReportColumn& column, size_t row);

constexpr bool IsNumber(CellType type) {
  return type == CellType::integer || type == CellType::real;
}

constexpr bool IsMeasure(ColumnRole role) {
  return role == ColumnRole::self || role == ColumnRole::total;
}

}  // namespace tfprof
