// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cassert>
#include <string_view>
#include <type_traits>

#include "core/report/table_def.h"

// Fills tables column by column: one cell per item of a list.

namespace tfprof {

// `cell` returns the cell of an item: a text, a real, or an integer (also for booleans).
template <class Items, class Cell>
void Fill(ReportColumn& column, const Items& items, const Cell& cell) {
  using Value = std::decay_t<decltype(cell(*std::begin(items)))>;
  if constexpr (std::is_convertible_v<Value, std::string_view>) {
    assert(column.spec.type == CellType::text);
    column.texts.reserve(items.size());
    for (const auto& item : items) column.texts.push_back(cell(item));
  } else if constexpr (std::is_floating_point_v<Value>) {
    assert(column.spec.type == CellType::real);
    column.reals.reserve(items.size());
    for (const auto& item : items) column.reals.push_back(cell(item));
  } else {
    assert(column.spec.type == CellType::integer || column.spec.type == CellType::boolean);
    column.integers.reserve(items.size());
    for (const auto& item : items) column.integers.push_back(cell(item));
  }
}

// Adds a declared column first, then fills it.
template <class Items, class Cell>
ReportColumn& Fill(Table& table, std::string_view id, const Items& items, const Cell& cell) {
  ReportColumn& column = AddColumn(table, id);
  Fill(column, items, cell);
  return column;
}

}  // namespace tfprof
