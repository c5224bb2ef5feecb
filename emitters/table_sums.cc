// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/arith.h"
#include "core/units.h"
#include "emitters/cells.h"
#include "emitters/table_layout.h"

namespace tfprof {
namespace {

using Kind = LaidColumn::Kind;

int64_t SumOf(const ReportColumn& column, size_t rows) {
  int64_t sum = 0;
  for (size_t row = 0; row < rows; ++row) {
    if (column.Integer(row) != kNoInt) sum = WrapAdd(sum, column.Integer(row));
  }
  return sum;
}

// The whole of a column, or what of it is in no row.
int64_t ValueOf(const ReportColumn& column, int64_t whole, bool others, size_t rows) {
  return others ? WrapAdd(whole, -SumOf(column, rows)) : whole;
}

void AddLine(const Report& report, std::string_view label, bool others, Layout* layout) {
  for (size_t i = 0; i < layout->columns.size(); ++i) {
    LaidColumn& column = layout->columns[i];
    std::string& text = column.sums.emplace_back(i == 0 ? label : std::string_view());
    if (i == 0) continue;
    const ReportColumn* cells = column.kind == Kind::share ? layout->shared : column.column;
    if (cells == nullptr || cells->spec.role == ColumnRole::plain) continue;
    const int64_t whole = WholeOf(report, MeasureId(*cells));
    if (whole == kNoInt) continue;
    const int64_t value = ValueOf(*cells, whole, others, layout->table->rows);
    if (column.kind == Kind::share) {
      AppendShare(value, whole, &text);
    } else {
      AppendHuman(value, cells->spec.unit, &text);
    }
  }
}

}  // namespace

void AddSums(const Report& report, Layout* layout) {
  const Table& table = *layout->table;
  if (layout->shared == nullptr || table.tree) {
    if (table.omitted_rows == 0 || layout->columns.empty()) return;
    layout->columns[0].sums.push_back(fmt::format("[{} others]", table.omitted_rows));
    for (size_t i = 1; i < layout->columns.size(); ++i) layout->columns[i].sums.emplace_back();
    return;
  }
  const int64_t rest = ValueOf(*layout->shared, layout->whole, true, table.rows);
  if (table.omitted_rows > 0) {
    AddLine(report, fmt::format("[{} others]", table.omitted_rows), true, layout);
  } else if (rest > 0) {
    // Hidden by thresholds or names, not cut off by -n.
    AddLine(report, "[not shown]", true, layout);
  }
  AddLine(report, "TOTAL", false, layout);
}

}  // namespace tfprof
