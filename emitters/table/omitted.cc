// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/omitted.h"

#include <fmt/format.h>

#include "core/text/append_format.h"
#include "emitters/cells.h"

namespace tfprof {
namespace {

using ColumnKind = LaidColumn::Kind;

// The sum of the omitted children of `row`, or kNoInt.
int64_t OmittedOf(const ReportColumn* column, size_t row) {
  return column == nullptr || column->omitted_below.empty() ? kNoInt : column->omitted_below[row];
}

// A lighter rest would cost more lines than it explains.
bool IsHeavy(const Layout& layout, uint32_t row) {
  const int64_t omitted = OmittedOf(layout.shared, row);
  return omitted != kNoInt && layout.total > 0 && omitted >= layout.total / 100;
}

}  // namespace

std::vector<uint32_t> OmittedAfter(const Layout& layout, size_t row) {
  const Table& table = *layout.table;
  if (table.omitted_below.empty()) return {};
  const size_t next = row + 1;
  const uint32_t next_depth = next < table.rows ? table.depth[next] : 0;
  std::vector<uint32_t> rows;
  // A row without shown children gets no line: its total says as much.
  for (uint32_t above = table.parent[row]; above != Table::kNoRow; above = table.parent[above]) {
    if (next < table.rows && table.depth[above] < next_depth) break;
    if (IsHeavy(layout, above)) rows.push_back(above);
  }
  return rows;
}

void AppendOmittedCell(const Layout& layout, const LaidColumn& column, uint32_t parent,
                       std::string* out) {
  if (column.is_name) {
    const int64_t rows = layout.table->omitted_below[parent];
    AppendFormat(out, "[{} other{}]", rows, rows == 1 ? "" : "s");
    return;
  }
  if (column.kind == ColumnKind::share) {
    return AppendShare(OmittedOf(layout.shared, parent), layout.total, out);
  }
  if (column.kind != ColumnKind::cell) return;
  const int64_t value = OmittedOf(column.column, parent);
  if (value != kNoInt)
    AppendHuman(value, column.column->spec.unit, out, column.column->spec.divisor);
}

size_t OmittedIndent(const Layout& layout, uint32_t parent) {
  return size_t{2} * (IndentLevels(*layout.table, parent) + 1);
}

}  // namespace tfprof
