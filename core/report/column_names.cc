// SPDX-License-Identifier: Apache-2.0
#include "core/report/column_names.h"

#include <algorithm>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/nearest.h"
#include "core/report/keep_rows.h"

namespace tfprof {
namespace {

const ReportColumn* Headed(const Table& table, std::string_view heading) {
  const auto found =
      std::find_if(table.columns.begin(), table.columns.end(),
                   [&](const ReportColumn& column) { return column.spec.title == heading; });
  return found == table.columns.end() || heading.empty() ? nullptr : &*found;
}

}  // namespace

const ReportColumn* ColumnCalled(const Table& table, std::string_view name) {
  const ReportColumn* column = table.Find(name);
  return column != nullptr ? column : Headed(table, name);
}

const ReportColumn* ColumnCalled(const Report& report, std::string_view name) {
  for (const Table& table : report.tables) {
    const ReportColumn* column = FollowsFirst(table) ? nullptr : ColumnCalled(table, name);
    if (column != nullptr) return column;
  }
  return nullptr;
}

const ColumnDef* ColumnCalled(const TableDefs& tables, std::string_view name) {
  for (const TableDef* const table : tables) {
    if (const ColumnDef* def = table->Find(name)) return def;
  }
  for (const TableDef* const table : tables) {
    for (const ColumnDef& def : table->columns) {
      if (EqualAnyCase(def.title, name) || EqualAnyCase(def.id, name)) return &def;
    }
  }
  return nullptr;
}

bool IsRequested(const ColumnDef& def, const Display& display) {
  const auto is = [&](std::string_view name) {
    return name == def.id || name == def.title || (!name.empty() && name == def.original);
  };
  bool filters = false;
  EachTerm(display.where, [&](const Where& term) { filters |= is(term.column); });
  return filters || is(display.order_column) || std::ranges::any_of(display.further, is) ||
         std::ranges::any_of(display.columns, is);
}

void NameColumns(const std::function<std::string(const std::string&)>& id_of, Display* display) {
  EachTerm(display->where, [&](Where& term) { term.column = id_of(term.column); });
  for (std::string& name : display->columns) name = id_of(name);
  if (!display->order_column.empty()) display->order_column = id_of(display->order_column);
}

void NameByOriginalIds(const Report& report, Display* display) {
  if (!display->original_ids) return;
  const auto id_of = [&](const std::string& name) {
    for (const Table& table : report.tables) {
      for (const ReportColumn& column : table.columns) {
        if (!name.empty() && column.spec.original == name) return column.spec.id;
      }
    }
    return name;
  };
  NameColumns(id_of, display);
  EachTerm(display->where, [](Where& term) { term.original = true; });
}

std::string ColumnsHint(const Report& report, std::string_view name) {
  std::vector<std::string_view> ids, headings;
  std::string valid;
  for (const Table& table : report.tables) {
    if (FollowsFirst(table)) continue;
    for (const ReportColumn& column : table.columns) {
      if (std::find(ids.begin(), ids.end(), column.spec.id) != ids.end()) continue;
      ids.push_back(column.spec.id);
      headings.push_back(column.spec.title);
      if (column.spec.shown && !column.spec.original_only) valid += " " + column.spec.id;
    }
    if (table.def == nullptr) continue;
    for (const ColumnDef& def : table.def->columns) {
      if (!def.on_request || std::ranges::count(ids, def.id) > 0) continue;
      ids.push_back(def.id);
      headings.push_back(def.title);
      valid.append(" ").append(def.id);
    }
  }
  std::string near = Nearest(name, ids);
  if (near.empty()) near = Nearest(name, headings);
  return (near.empty() ? "" : "did you mean " + near + "? ") + "columns:" + valid;
}

}  // namespace tfprof
