// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>

#include "core/report/report.h"
#include "views/columns/measure_rows.h"

// Tables made column by column: one cell per item of a list.

namespace tfprof {

inline ReportColumn& Texts(Table& table, std::string id, std::string title, std::string meaning) {
  return AddColumn(table, std::move(id), std::move(title), CellType::text, std::move(meaning));
}

inline ReportColumn& Numbers(Table& table, std::string id, std::string title, Unit unit,
                             std::string meaning) {
  ReportColumn& column =
      AddColumn(table, std::move(id), std::move(title), CellType::integer, std::move(meaning));
  column.spec.unit = unit;
  return column;
}

inline ReportColumn& Reals(Table& table, std::string id, std::string title, Unit unit,
                           std::string meaning) {
  ReportColumn& column =
      AddColumn(table, std::move(id), std::move(title), CellType::real, std::move(meaning));
  column.spec.unit = unit;
  return column;
}

// `cell` makes the cell of an item.
template <class Items, class Cell>
void FillTexts(ReportColumn& column, const Items& items, const Cell& cell) {
  column.texts.reserve(items.size());
  for (const auto& item : items) column.texts.push_back(cell(item));
}
template <class Items, class Cell>
void FillNumbers(ReportColumn& column, const Items& items, const Cell& cell) {
  column.integers.reserve(items.size());
  for (const auto& item : items) column.integers.push_back(cell(item));
}
template <class Items, class Cell>
void FillReals(ReportColumn& column, const Items& items, const Cell& cell) {
  column.reals.reserve(items.size());
  for (const auto& item : items) column.reals.push_back(cell(item));
}

// The same in one call, of what has no more to be said about it.
template <class Items, class Cell>
ReportColumn& Texts(Table& table, std::string id, std::string title, std::string meaning,
                    const Items& items, const Cell& cell) {
  ReportColumn& column = Texts(table, std::move(id), std::move(title), std::move(meaning));
  FillTexts(column, items, cell);
  return column;
}
template <class Items, class Cell>
ReportColumn& Numbers(Table& table, std::string id, std::string title, Unit unit,
                      std::string meaning, const Items& items, const Cell& cell) {
  ReportColumn& column = Numbers(table, std::move(id), std::move(title), unit, std::move(meaning));
  FillNumbers(column, items, cell);
  return column;
}
template <class Items, class Cell>
ReportColumn& Reals(Table& table, std::string id, std::string title, Unit unit, std::string meaning,
                    const Items& items, const Cell& cell) {
  ReportColumn& column = Reals(table, std::move(id), std::move(title), unit, std::move(meaning));
  FillReals(column, items, cell);
  return column;
}

}  // namespace tfprof
