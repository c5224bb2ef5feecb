// SPDX-License-Identifier: Apache-2.0
#include "core/report/table_def.h"

#include <algorithm>
#include <cassert>

namespace tfprof {

const ColumnDef* TableDef::Find(std::string_view id) const {
  const auto is = [&](const ColumnDef& def) { return def.id == id; };
  const auto was = [&](const ColumnDef& def) { return def.original == id; };
  auto found = std::find_if(columns.begin(), columns.end(), is);
  if (found == columns.end()) found = std::find_if(columns.begin(), columns.end(), was);
  return found == columns.end() ? nullptr : &*found;
}

ColumnSpec SpecOf(const ColumnDef& def) {
  ColumnSpec spec;
  spec.id = def.id;
  spec.original = def.original;
  spec.title = def.title;
  spec.type = def.type;
  spec.unit = def.unit;
  spec.human_readable = def.audience == Audience::human;
  spec.original_only = def.audience == Audience::original;
  spec.droppable = def.droppable;
  spec.folds = def.folds;
  spec.weight = def.weight;
  spec.meaning = def.meaning;
  spec.long_text = def.long_text;
  spec.label = def.label;
  return spec;
}

Table MakeTable(const TableDef& def, size_t rows) {
  Table table;
  table.def = &def;
  table.name = def.name;
  table.title = def.title;
  table.rows = rows;
  return table;
}

ReportColumn& AddColumn(Table& table, std::string_view id) {
  const ColumnDef* const def = table.def->Find(id);
  assert(def != nullptr);
  ReportColumn& column = table.columns.emplace_back();
  column.spec = SpecOf(*def);
  return column;
}

RowNames RowNamesOf(const Report& report) {
  const bool declared = !report.tables.empty() && report.tables[0].def != nullptr;
  return declared ? report.tables[0].def->row_names : RowNames::other;
}

}  // namespace tfprof
