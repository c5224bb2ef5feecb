// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/report/report.h"
#include "emitters/emitter.h"

// Builds reports in tests, and emits them.

namespace tfprof {

struct SampleRow {
  std::string_view name;
  uint32_t depth = 0;
  int64_t self = 0;
  int64_t total = 0;
  int64_t accounted = 1;
};

inline ReportColumn TextColumn(std::string id, std::vector<std::string_view> texts) {
  ReportColumn column;
  column.spec = {.id = id, .title = id, .type = CellType::text};
  column.texts = std::move(texts);
  return column;
}

inline ReportColumn IntegerColumn(std::string id, std::vector<int64_t> integers,
                                  Unit unit = Unit::none, ColumnRole role = ColumnRole::plain) {
  ReportColumn column;
  column.spec = {.id = id, .title = id, .unit = unit, .role = role};
  column.integers = std::move(integers);
  return column;
}

// Columns name, accounted and, for every id in `ids`, X and total_X with the numbers of the rows.
inline Table SampleTable(std::string name, const std::vector<SampleRow>& rows,
                         const std::vector<std::string>& ids, Unit unit) {
  Table table;
  table.name = name;
  table.rows = rows.size();
  std::vector<std::string_view> names;
  std::vector<int64_t> self, total, accounted;
  for (const SampleRow& row : rows) {
    names.push_back(row.name);
    self.push_back(row.self);
    total.push_back(row.total);
    accounted.push_back(row.accounted);
  }
  table.columns.push_back(TextColumn("name", names));
  table.columns.push_back(IntegerColumn("accounted", accounted));
  table.columns.back().spec.type = CellType::boolean;
  for (const std::string& id : ids) {
    table.columns.push_back(IntegerColumn(id, self, unit, ColumnRole::self));
    table.columns.push_back(IntegerColumn("total_" + id, total, unit, ColumnRole::total));
  }
  return table;
}

// Completes the tree as a view does: parents follow from the depths.
inline void MakeTree(Table& table, const std::vector<SampleRow>& rows) {
  table.tree = true;
  std::vector<uint32_t> path;
  for (uint32_t row = 0; row < rows.size(); ++row) {
    path.resize(rows[row].depth);
    table.parent.push_back(path.empty() ? Table::kNoRow : path.back());
    table.depth.push_back(rows[row].depth);
    path.push_back(row);
  }
}

inline Property Whole(const std::string& id, int64_t value, Unit unit) {
  return {.id = "total_" + id, .unit = unit, .integer = value};
}

const std::vector<std::string> kTimes = {"micros", "accelerator_micros", "cpu_micros"};

inline Report SampleScope(const std::vector<SampleRow>& rows) {
  Report report;
  report.view = "scope";
  report.tables.push_back(SampleTable("scope", rows, kTimes, Unit::us));
  MakeTree(report.tables[0], rows);
  for (const std::string& id : kTimes) {
    report.properties.push_back(Whole(id, rows.empty() ? 0 : rows[0].total, Unit::us));
  }
  return report;
}

// The `total` of a row is its classic remainder.
inline Report SampleOp(const std::vector<SampleRow>& rows, int64_t whole) {
  Report report;
  report.view = "op";
  report.tables.push_back(SampleTable("op", rows, kTimes, Unit::us));
  Table& table = report.tables[0];
  for (const std::string& id : kTimes) {
    ReportColumn remainder = *table.Find("total_" + id);
    remainder.spec.id = "classic_remainder_" + id;
    remainder.spec.role = ColumnRole::remainder;
    table.columns.push_back(remainder);
    for (ReportColumn& column : table.columns) {
      if (column.spec.id == "total_" + id) column.integers = table.Find(id)->integers;
    }
    report.properties.push_back(Whole(id, whole, Unit::us));
  }
  return report;
}

// A line feed starts the text so that expectations can start on a separate line.
inline std::string Emit(std::string_view format, const Report& report, const Query& query = {},
                        const Style& style = {.columns = 0}) {
  Sink sink;
  Context context;
  const Emitter* emitter = FindEmitter(format);
  if (emitter == nullptr) return "no such format";
  const Result<void> done = emitter->emit(report, query, style, sink, context);
  return done ? "\n" + sink.buffer : "error: " + done.error().what;
}

inline std::string FromProfile(const std::string& text) {
  const size_t at = text.find("\nProfile:\n");
  return at == std::string::npos ? text : text.substr(at);
}

}  // namespace tfprof
