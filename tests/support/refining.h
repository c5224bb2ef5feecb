// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/report.h"

// A table to refine.

namespace tfprof {

inline ReportColumn Texts(std::string id, std::vector<std::string_view> cells) {
  ReportColumn column;
  column.spec.id = std::move(id);
  column.spec.type = CellType::text;
  column.texts = std::move(cells);
  return column;
}

inline ReportColumn Integers(std::string id, Unit unit, std::vector<int64_t> cells) {
  ReportColumn column;
  column.spec.id = std::move(id);
  column.spec.unit = unit;
  column.integers = std::move(cells);
  return column;
}

// name  micros  bytes  share  device
// a     10      4096   0.5    [gpu cpu]
// b     3000    -      -      []
// c     10      100    2.5    [cpu]
inline Report List() {
  Report report;
  report.view = "list";
  Table table;
  table.name = "rows";
  table.rows = 3;
  table.columns.push_back(Texts("name", {"a", "b", "c"}));
  table.columns.push_back(Integers("micros", Unit::us, {10, 3000, 10}));
  table.columns.push_back(Integers("bytes", Unit::bytes, {4096, kNoInt, 100}));
  ReportColumn share;
  share.spec.id = "share";
  share.spec.type = CellType::real;
  share.reals = {0.5, std::numeric_limits<double>::quiet_NaN(), 2.5};
  table.columns.push_back(std::move(share));
  ReportColumn device;
  device.spec.id = "device";
  device.spec.type = CellType::texts;
  device.lists = {{"gpu", "cpu"}, {}, {"cpu"}};
  table.columns.push_back(std::move(device));
  report.tables.push_back(std::move(table));
  return report;
}

inline std::string NamesOf(const Table& table) {
  std::string names;
  for (const std::string_view name : table.Find("name")->texts) names += name;
  return names;
}

}  // namespace tfprof
