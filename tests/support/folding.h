// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/report/fold.h"

// Tables that fold, and their printed form.

namespace tfprof {

struct Row {
  std::string_view name;
  uint32_t depth = 0;
  int64_t micros = 0;
};

inline ReportColumn MadeColumn(std::string id, CellType type, Folds folds) {
  ReportColumn column;
  column.spec.id = std::move(id);
  column.spec.type = type;
  column.spec.folds = folds;
  return column;
}

// Columns name, micros.
inline Report ListOf(const std::vector<Row>& rows) {
  Report report;
  report.view = "list";
  Table& table = report.tables.emplace_back();
  table.rows = rows.size();
  table.ordered_by = "micros";
  table.columns.push_back(MadeColumn("name", CellType::text, Folds::names));
  table.columns.push_back(MadeColumn("micros", CellType::integer, Folds::sum));
  for (const Row& row : rows) {
    table.columns[0].texts.push_back(row.name);
    table.columns[1].integers.push_back(row.micros);
  }
  return report;
}

// As ListOf, but a tree; the micros are a measure of the table.
inline Report TreeOf(const std::vector<Row>& rows) {
  Report report = ListOf(rows);
  Table& table = report.tables[0];
  table.tree = true;
  std::vector<uint32_t> path;
  for (uint32_t row = 0; row < rows.size(); ++row) {
    path.resize(rows[row].depth);
    table.parent.push_back(path.empty() ? Table::kNoRow : path.back());
    table.depth.push_back(rows[row].depth);
    table.node.push_back(NodeId(row));
    path.push_back(row);
    MeasureValues values{};
    At(values, Measure::micros) = rows[row].micros;
    At(values, Measure::bytes) = kNoInt;
    table.total_values.Push(values);
  }
  ReportColumn& micros = table.columns[1];
  micros.spec.role = ColumnRole::total;
  micros.integers.clear();
  micros.stride = kMeasures;
  micros.first = table.total_values[0].data() + static_cast<size_t>(Measure::micros);
  return report;
}

// "NAME xROWS MICROS" per line, indented.
inline std::string Text(const Table& table) {
  const ReportColumn* counts = table.Find("rows");
  std::string text = "\n";
  for (size_t row = 0; row < table.rows; ++row) {
    if (table.tree) text.append(2 * table.depth[row], ' ');
    text.append(table.Find("name")->texts[row]);
    if (counts != nullptr && counts->Integer(row) > 1) {
      text += " x" + std::to_string(counts->Integer(row));
    }
    const int64_t micros = table.Find("micros")->Integer(row);
    text += micros == kNoInt ? " -\n" : " " + std::to_string(micros) + "\n";
  }
  return text;
}

inline std::string Folded(Report report) {
  Context context;
  const Result<void> done = Fold(&report, context);
  return done ? Text(report.tables[0]) : done.error().what;
}

}  // namespace tfprof
