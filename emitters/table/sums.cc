// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/base/arith.h"
#include "core/report/changes.h"
#include "core/text/units.h"
#include "emitters/cells.h"
#include "emitters/printable.h"
#include "emitters/table/layout.h"

namespace tfprof {
namespace {

using ColumnKind = LaidColumn::Kind;

// others: rows that -n cut off. not_shown: the rest of the total, in rows that names, thresholds or
// -where hide.
enum class Sum { others, not_shown, total };

// Returns the column whose sums a column shows; null: none.
const ReportColumn* SummedBy(const Layout& layout, const LaidColumn& column) {
  if (column.kind == ColumnKind::share) return layout.shared;
  if (column.kind != ColumnKind::cell) return nullptr;
  return IsMeasure(column.column->spec.role) ? column.column : nullptr;
}

int64_t SumOf(const ReportColumn& column, size_t rows) {
  int64_t sum = 0;
  for (size_t row = 0; row < rows; ++row) {
    if (column.Integer(row) != kNoInt) sum = SaturatingAdd(sum, column.Integer(row));
  }
  return sum;
}

int64_t SumIn(const ReportColumn& column, int64_t total, Sum sum, size_t rows) {
  if (sum == Sum::total) return total;
  if (sum == Sum::others) return column.omitted_sum;
  const int64_t others = column.omitted_sum == kNoInt ? 0 : column.omitted_sum;
  return SaturatingAdd(total, -SaturatingAdd(SumOf(column, rows), others));
}

// Labels go into the column of names, else into the first text column, else into a column that is
// added in front.
size_t LabelColumn(Layout* layout) {
  size_t first_text = layout->columns.size();
  for (size_t i = layout->columns.size(); i-- > 0;) {
    const LaidColumn& column = layout->columns[i];
    if (column.is_name) return i;
    if (column.kind == ColumnKind::cell && !column.right) first_text = i;
  }
  if (first_text < layout->columns.size()) return first_text;
  layout->columns.insert(layout->columns.begin(), LaidColumn{.kind = ColumnKind::label});
  return 0;
}

void AddLabel(std::string_view label, size_t at, Layout* layout) {
  for (size_t i = 0; i < layout->columns.size(); ++i) {
    layout->columns[i].sums.emplace_back(i == at ? label : std::string_view());
  }
}

void AddLine(const Report& report, std::string_view label, size_t at, Sum sum, Layout* layout) {
  AddLabel(label, at, layout);
  for (LaidColumn& column : layout->columns) {
    const ReportColumn* cells = SummedBy(*layout, column);
    const int64_t total = cells == nullptr ? kNoInt : TotalOf(report, MeasureId(*cells));
    if (total == kNoInt) continue;
    const int64_t value = SumIn(*cells, total, sum, layout->table->PrintedRows());
    if (column.kind == ColumnKind::share) {
      AppendShare(value, total, &column.sums.back());
    } else {
      AppendHuman(value, cells->spec.unit, &column.sums.back(), cells->spec.divisor);
    }
  }
}

bool HidesSome(const Report& report, const Layout& layout) {
  for (const LaidColumn& column : layout.columns) {
    const ReportColumn* cells = SummedBy(layout, column);
    const int64_t total = cells == nullptr ? kNoInt : TotalOf(report, MeasureId(*cells));
    if (total == kNoInt) continue;
    if (SumIn(*cells, total, Sum::not_shown, layout.table->PrintedRows()) > 0) return true;
  }
  return false;
}

// ---- tables of changes

void AppendSum(const ReportColumn& column, double sum, std::string* out) {
  if (column.spec.type == CellType::real) return AppendHumanReal(sum, column.spec.unit, out);
  AppendHuman(std::llround(sum), column.spec.unit, out, column.spec.divisor);
}

// Adds a line with sum(column) under each column that has one; NaN: the cell is empty.
template <class Sum>
void AddLineOf(const std::string& label, size_t at, const Sum& sum, Layout* layout) {
  AddLabel(label, at, layout);
  for (LaidColumn& column : layout->columns) {
    if (column.kind != ColumnKind::cell) continue;
    const double value = sum(*column.column);
    if (!std::isnan(value)) AppendSum(*column.column, value, &column.sums.back());
  }
}

bool HasTotals(const Table& table) {
  return std::ranges::any_of(table.columns,
                             [](const ReportColumn& column) { return !std::isnan(column.total); });
}

// The part of the total in rows that -where hides; NaN: the column does not add up.
double NotShown(const ReportColumn& column, const Table& table) {
  if (!column.adds_up) return kNoReal;
  std::vector<uint32_t> rows(table.PrintedRows());
  std::iota(rows.begin(), rows.end(), 0);
  double shown = column.cut_sum + column.unchanged_sum;
  AddCells(column, rows, &shown);
  const double rest = column.total - shown;
  constexpr double kRounding = 1e-9;
  return std::abs(rest) <= kRounding * std::abs(column.total) ? 0 : rest;
}

bool HidesSomeChanges(const Table& table) {
  return std::ranges::any_of(table.columns, [&](const ReportColumn& column) {
    const double rest = NotShown(column, table);
    return !std::isnan(rest) && rest != 0;
  });
}

// The lines of a table of changes: its rows and these add up, in columns that do.
void AddSumsOfChanges(const std::string& others, size_t at, Layout* layout) {
  const Table& table = *layout->table;
  if (table.omitted_rows > 0) {
    AddLineOf(
        others, at, [](const ReportColumn& of) { return of.adds_up ? of.cut_sum : kNoReal; },
        layout);
  }
  if (table.unchanged_rows > 0) {
    AddLineOf(
        fmt::format("[{} unchanged]", table.unchanged_rows), at,
        [](const ReportColumn& of) { return of.adds_up ? of.unchanged_sum : kNoReal; }, layout);
  }
  if (!HasTotals(table)) return;
  if (HidesSomeChanges(table)) {
    AddLineOf(
        "[not shown]", at, [&](const ReportColumn& of) { return NotShown(of, table); }, layout);
  }
  AddLineOf(
      "TOTAL", at, [](const ReportColumn& of) { return of.total; }, layout);
}

}  // namespace

size_t RoomForLabel(const Layout& layout, size_t column, size_t line) {
  size_t room = layout.columns[column].width;
  for (size_t i = column + 1; i < layout.columns.size(); ++i) {
    const LaidColumn& next = layout.columns[i];
    const size_t taken = CellWidth(next.sums[line]);
    if (taken > 0) return room + (next.right ? next.width - std::min(next.width, taken) : 0);
    room += kColumnGap + next.width;
  }
  return room;
}

void AddSums(const Report& report, Layout* layout) {
  const Table& table = *layout->table;
  const bool adds_up = layout->shared != nullptr && !table.tree;
  const bool of_changes = table.unchanged_rows > 0 || HasTotals(table);
  if (layout->columns.empty() || (table.omitted_rows == 0 && !adds_up && !of_changes)) return;
  const size_t at = LabelColumn(layout);
  layout->columns[at].labels = true;
  const std::string others =
      fmt::format("[{} other{}]", table.omitted_rows, table.omitted_rows == 1 ? "" : "s");
  if (of_changes) return AddSumsOfChanges(others, at, layout);
  if (!adds_up) return AddLabel(others, at, layout);
  if (table.omitted_rows > 0) AddLine(report, others, at, Sum::others, layout);
  if (HidesSome(report, *layout)) AddLine(report, "[not shown]", at, Sum::not_shown, layout);
  AddLine(report, "TOTAL", at, Sum::total, layout);
}

}  // namespace tfprof
