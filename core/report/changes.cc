// SPDX-License-Identifier: Apache-2.0
#include "core/report/changes.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/report/keep_rows.h"
#include "core/report/refine.h"

namespace tfprof {
namespace {

void Hide(const ReportColumn& status, Table* table) {
  std::vector<uint32_t> kept, hidden;
  for (uint32_t row = 0; row < table->rows; ++row) {
    (status.texts[row] == kSame ? hidden : kept).push_back(row);
  }
  if (hidden.empty()) return;
  for (ReportColumn& column : table->columns) {
    if (column.adds_up) AddCells(column, hidden, &column.unchanged_sum);
  }
  table->unchanged_rows += static_cast<int64_t>(hidden.size());
  KeepRows(kept, table);
}

}  // namespace

void AddCells(const ReportColumn& column, std::span<const uint32_t> rows, double* sum) {
  for (const uint32_t row : rows) {
    if (IsAbsent(column, row)) continue;
    *sum += column.spec.type == CellType::real ? column.reals[row]
                                               : static_cast<double>(column.Integer(row));
  }
}

void HideUnchanged(Report* report) {
  for (Table& table : report->tables) {
    const ReportColumn* status = table.Find("status");
    if (status != nullptr && !table.tree) Hide(*status, &table);
  }
}

}  // namespace tfprof
