// SPDX-License-Identifier: Apache-2.0
#include "core/report/refine.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include "core/base/arith.h"
#include "core/report/changes.h"
#include "core/report/column_names.h"
#include "core/report/heaviest_rows.h"
#include "core/report/keep_rows.h"

namespace tfprof {
namespace {

// A matching row keeps its ancestors. One backward sweep: children follow their parents.
void AddAncestors(const Table& table, std::vector<bool>* keep) {
  for (size_t row = table.rows; row-- > 0;) {
    if ((*keep)[row] && table.parent[row] != Table::kNoRow) (*keep)[table.parent[row]] = true;
  }
}

// Keeps in `rows`, all rows of the table, those for which the condition holds.
Result<void> KeepWhere(const Condition& condition, const Table& table,
                       std::vector<uint32_t>* rows) {
  TFPROF_ASSIGN(const RowTest test, FitCondition(condition, table));
  if (test.empty()) return {};
  std::vector<bool> keep(table.rows);
  for (size_t row = 0; row < table.rows; ++row) keep[row] = Holds(test, row);
  if (table.tree) AddAncestors(table, &keep);
  std::erase_if(*rows, [&](uint32_t row) { return !keep[row]; });
  return {};
}

// Returns true if row `a` precedes row `b`: numbers descend, texts ascend, absent values are last.
bool Before(const ReportColumn& column, uint32_t a, uint32_t b) {
  const bool no_a = IsAbsent(column, a);
  const bool no_b = IsAbsent(column, b);
  if (no_a || no_b) return !no_a && no_b;
  switch (column.spec.type) {
    case CellType::integer:
    case CellType::boolean: return column.Integer(a) > column.Integer(b);
    case CellType::real: return column.reals[a] > column.reals[b];
    case CellType::text: return column.texts[a] < column.texts[b];
    case CellType::texts: return column.lists[a] < column.lists[b];
    case CellType::tensor: break;
  }
  return false;
}

void Order(const std::string& name, const Table& table, std::vector<uint32_t>* rows) {
  const ReportColumn* column = ColumnCalled(table, name);
  if (column == nullptr || table.tree) return;
  std::stable_sort(rows->begin(), rows->end(),
                   [&](uint32_t a, uint32_t b) { return Before(*column, a, b); });
}

// Adds the measures of the cut `rows` to those of rows cut before.
void AddOmitted(std::span<const uint32_t> rows, Table* table) {
  for (ReportColumn& column : table->columns) {
    if (column.adds_up) AddCells(column, rows, &column.cut_sum);
    if (!IsMeasure(column.spec.role)) continue;
    for (const uint32_t row : rows) {
      const int64_t value = column.Integer(row);
      if (value == kNoInt) continue;
      column.omitted_sum =
          SaturatingAdd(column.omitted_sum == kNoInt ? 0 : column.omitted_sum, value);
    }
  }
}

struct Chosen {
  std::vector<uint32_t> rows;
  std::vector<uint32_t> cut;  // by -n
};

void Cut(int64_t max, Table* table, Chosen* chosen) {
  std::vector<uint32_t>& rows = chosen->rows;
  if (max < 0 || rows.size() <= static_cast<uint64_t>(max)) return;
  if (table->tree) {
    std::vector<uint32_t> kept = HeaviestRows(*table, rows, static_cast<size_t>(max));
    CountOmittedBelow(rows, kept, table);
    std::set_difference(rows.begin(), rows.end(), kept.begin(), kept.end(),
                        std::back_inserter(chosen->cut));
    rows = std::move(kept);
  } else {
    chosen->cut.assign(rows.begin() + static_cast<ptrdiff_t>(max), rows.end());
    AddOmitted(chosen->cut, table);
    rows.resize(static_cast<size_t>(max));
  }
  table->omitted_rows += static_cast<int64_t>(chosen->cut.size());
}

// The remaining rows of a table, in their new order.
Result<Chosen> ChooseRows(const Display& display, Table* table) {
  Chosen chosen{std::vector<uint32_t>(table->rows), {}};
  std::iota(chosen.rows.begin(), chosen.rows.end(), 0);
  TFPROF_TRY(KeepWhere(display.where, *table, &chosen.rows));
  Order(display.order_column, *table, &chosen.rows);
  Cut(display.rows, table, &chosen);
  return chosen;
}

// Shows the named columns first, in the given order, and hides the others. A table without any of
// them stays unchanged.
void ShowColumns(const std::vector<std::string>& names, Table* table) {
  std::vector<std::string> ids;
  for (const std::string& name : names) {
    const ReportColumn* column = ColumnCalled(*table, name);
    if (column != nullptr) ids.push_back(column->spec.id);
  }
  if (ids.empty()) return;
  const auto rank = [&](const ReportColumn& column) {
    return std::find(ids.begin(), ids.end(), column.spec.id) - ids.begin();
  };
  for (ReportColumn& column : table->columns) {
    column.spec.shown = rank(column) < static_cast<ptrdiff_t>(ids.size());
  }
  std::stable_sort(table->columns.begin(), table->columns.end(),
                   [&](const ReportColumn& a, const ReportColumn& b) { return rank(a) < rank(b); });
}

// `option` is for the message.
Result<void> CheckColumn(const Report& report, std::string_view option, const std::string& name) {
  if (ColumnCalled(report, name) != nullptr) return {};
  return UsageError(
      fmt::format("{}: the answer of {} has no column '{}'", option, report.view, name),
      ColumnsHint(report, name));
}

Result<void> CheckWhere(const Report& report, const Condition& condition) {
  Result<void> checked;
  EachTerm(condition, [&](const Where& term) {
    if (!checked) return;
    checked = CheckColumn(report, "-where", term.column);
    if (checked) return;
    checked.error().part = term.part;
    const size_t end = term.part.begin + term.column.size();
    checked.error().part.end = std::min(end, term.part.end);
  });
  return checked;
}

Result<void> CheckColumns(const Report& report, const Display& display) {
  TFPROF_TRY(CheckWhere(report, display.where));
  if (!display.order_column.empty()) {
    TFPROF_TRY(CheckColumn(report, "-order_by", display.order_column));
  }
  for (const std::string& name : display.columns) TFPROF_TRY(CheckColumn(report, "-columns", name));
  return {};
}

}  // namespace

Result<void> Refine(Report& report, const Display& display) {
  TFPROF_TRY(CheckColumns(report, display));
  const bool keeps_all = display.where.empty() && display.order_column.empty() && display.rows < 0;
  for (size_t i = 0; i < report.tables.size() && !keeps_all; ++i) {
    Table& table = report.tables[i];
    if (FollowsFirst(table)) continue;  // tables[0] does not
    TFPROF_ASSIGN(const Chosen chosen, ChooseRows(display, &table));
    const size_t rows_before = table.rows;
    KeepRows(chosen.rows, &table);
    if (i == 0) FollowFirst(chosen.rows, chosen.cut, rows_before, &report);
  }
  for (Table& table : report.tables) {
    if (!display.columns.empty() && !FollowsFirst(table)) ShowColumns(display.columns, &table);
  }
  return {};
}

void CutFollowing(int64_t max, Report* report) {
  for (Table& table : report->tables) {
    if (!FollowsFirst(table)) continue;
    Chosen chosen{std::vector<uint32_t>(table.rows), {}};
    std::iota(chosen.rows.begin(), chosen.rows.end(), 0);
    Cut(max, &table, &chosen);
    if (!chosen.cut.empty()) KeepRows(chosen.rows, &table);
  }
}

}  // namespace tfprof
