// SPDX-License-Identifier: Apache-2.0
#include "core/report/fold_names.h"

#include <algorithm>

#include "core/base/number_ranges.h"

namespace tfprof {
namespace {

// The part of the name after that of the parent; empty: the name is no path through the parent.
std::string_view Tail(const Table& table, const ReportColumn& names, uint32_t row) {
  if (!table.tree || table.parent[row] == Table::kNoRow) return {};
  const std::string_view name = names.texts[row];
  const size_t above = names.texts[table.parent[row]].size();
  const bool below = name.size() > above && name[above] == '/';
  return below ? name.substr(above) : std::string_view();
}

// The common part of all names after those of their parents; empty: they differ there.
std::string_view SharedTail(const Table& table, const ReportColumn& names,
                            std::span<const uint32_t> rows) {
  const std::string_view tail = Tail(table, names, rows[0]);
  const bool shared = std::all_of(rows.begin(), rows.end(),
                                  [&](uint32_t row) { return Tail(table, names, row) == tail; });
  return shared ? tail : std::string_view();
}

std::string Ranges(const ReportColumn& names, std::span<const uint32_t> rows) {
  std::vector<std::string_view> texts;
  for (const uint32_t row : rows) texts.push_back(names.texts[row]);
  return WithRanges(texts);
}

}  // namespace

const ReportColumn* FoldingNames(const Table& table) {
  for (const ReportColumn& column : table.columns) {
    if (column.spec.folds == Folds::names && column.spec.type == CellType::text) return &column;
  }
  return nullptr;
}

std::vector<std::string_view> NamesOfRows(const FoldPlan& plan, const Table& table,
                                          const ReportColumn& names, TextPool* pool) {
  std::vector<std::string_view> made;
  std::vector<uint32_t> made_of(table.rows, 0);  // by first member
  for (uint32_t i = 0; i < plan.rows(); ++i) {
    const std::span<const uint32_t> rows = plan.Members(i);
    made_of[rows[0]] = i;
    if (rows.size() == 1) {
      made.push_back(names.texts[rows[0]]);
      continue;
    }
    // The name of the parent exists already and is extended.
    const std::string_view tail = SharedTail(table, names, rows);
    made.push_back(pool->Keep(tail.empty() ? Ranges(names, rows)
                                           : std::string(made[made_of[table.parent[rows[0]]]]) +
                                                 std::string(tail)));
  }
  return made;
}

}  // namespace tfprof
