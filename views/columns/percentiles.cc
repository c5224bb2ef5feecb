// SPDX-License-Identifier: Apache-2.0
#include "views/columns/percentiles.h"

#include <algorithm>

#include "core/report/column_names.h"

namespace tfprof {
namespace {

struct PercentileColumn {
  std::string_view id;
  unsigned percent;
};
constexpr PercentileColumn kPercentiles[] = {{"median_us", 50}, {"p95_us", 95}};

bool IsShown(const PercentileColumn& column, const TableDef& table, const Display& display) {
  const ColumnDef* const def = table.Find(column.id);
  return def != nullptr && IsRequested(*def, display);
}

}  // namespace

bool HasPercentiles(const TableDef& table, const Display& display) {
  return std::ranges::any_of(kPercentiles, [&](const PercentileColumn& column) {
    return IsShown(column, table, display);
  });
}

void AddPercentiles(std::span<const RowDuration> durations, const Display& display, Table* table) {
  if (!HasPercentiles(*table->def, display)) return;
  DurationsByRow by_row(durations, table->rows);
  for (const PercentileColumn& column : kPercentiles) {
    if (!IsShown(column, *table->def, display)) continue;
    AddColumn(*table, column.id).integers = by_row.Percentiles(column.percent);
  }
}

}  // namespace tfprof
