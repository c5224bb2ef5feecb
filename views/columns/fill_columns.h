// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cassert>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "analysis/place.h"
#include "core/report/table_def.h"
#include "core/store/names.h"

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

// Returns the texts, by id; the pool owns them.
inline std::vector<std::string_view> KeepTexts(const Names& texts, TextPool& pool) {
  std::vector<std::string_view> kept;
  for (uint32_t id = 0; id < texts.size(); ++id) {
    kept.push_back(pool.Keep(std::string(texts[NameId(id)])));
  }
  return kept;
}

// Adds a declared column first, then fills it.
template <class Items, class Cell>
ReportColumn& Fill(Table& table, std::string_view id, const Items& items, const Cell& cell) {
  ReportColumn& column = AddColumn(table, id);
  Fill(column, items, cell);
  return column;
}

// Adds `host`, which readers see only where there are several; host_of(item) is a HostId.
template <class Items, class HostOf>
void FillHost(const Store& store, const Items& items, const HostOf& host_of, Table* table) {
  Fill(*table, "host", items, [&](const auto& item) {
    return HostName(store, host_of(item));
  }).spec.human_readable = store.hosts.size() > 1;
}

// Adds `host`, and the name of a device or another process as `id`; process_of(item) is a
// ProcessId.
template <class Items, class ProcessOf>
void FillProcess(const Store& store, std::string_view id, const Items& items,
                 const ProcessOf& process_of, Table* table) {
  const auto process = [&](const auto& item) -> const Process& {
    return store.processes[process_of(item).value];
  };
  FillHost(
      store, items, [&](const auto& item) { return process(item).host; }, table);
  Fill(*table, id, items, [&](const auto& item) { return store.Text(process(item).name); });
}

// Adds `rank`: 1, 2, 3 ...
inline void FillRank(Table* table) {
  ReportColumn& rank = AddColumn(*table, "rank");
  for (size_t i = 1; i <= table->rows; ++i) rank.integers.push_back(static_cast<int64_t>(i));
}

}  // namespace tfprof
