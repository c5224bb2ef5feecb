// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "core/base/nearest.h"
#include "core/report/fold.h"
#include "core/report/fold_plan.h"
#include "core/report/keep_rows.h"

namespace tfprof {
namespace {

// The folded rows of a table: row numbers in its plan, and names.
struct FoldedRows {
  std::vector<uint32_t> row;
  std::vector<std::string_view> name;
};

FoldedRows FoldedRowsOf(const Table& table) {
  FoldedRows folded;
  const ReportColumn* names = FoldingNames(table);
  for (uint32_t row = 0; names != nullptr && row < table.rows; ++row) {
    if (FoldedNames(table, row).empty()) continue;
    folded.row.push_back(row);
    folded.name.push_back(names->texts[row]);
  }
  return folded;
}

FoldedRows FoldedRowsOf(const FoldPlan& plan, const std::vector<std::string_view>& names) {
  FoldedRows folded;
  for (uint32_t i = 0; i < plan.rows(); ++i) {
    if (plan.Members(i).size() < 2) continue;
    folded.row.push_back(i);
    folded.name.push_back(names[i]);
  }
  return folded;
}

// The rows named `name`, with or without the slash of scopes; if there are none, those with that
// name inside a scope.
std::vector<uint32_t> RowsCalled(const std::string& name, const FoldedRows& folded) {
  std::vector<uint32_t> exact, inner;
  for (size_t i = 0; i < folded.row.size(); ++i) {
    std::string_view called = folded.name[i];
    if (called.ends_with('/') && !name.ends_with('/')) called.remove_suffix(1);
    if (called == name) exact.push_back(folded.row[i]);
    if (called.ends_with("/" + name)) inner.push_back(folded.row[i]);
  }
  return exact.empty() ? inner : exact;
}

void KeepOnly(std::span<const uint32_t> rows, Report* report, Table* of) {
  Table table = std::move(*of);
  std::vector<uint32_t> kept(rows.begin(), rows.end());
  if (const ReportColumn* order = table.Find(table.ordered_by)) {
    std::stable_sort(kept.begin(), kept.end(),
                     [&](uint32_t a, uint32_t b) { return order->Integer(a) > order->Integer(b); });
  }
  if (table.tree) {
    table.parent.assign(table.rows, Table::kNoRow);
    table.depth.assign(table.rows, 0);
  }
  KeepRows(kept, &table);
  report->tables.clear();
  report->tables.push_back(std::move(table));
}

// Keeps the rows with the names that the row `name` of `before` combined. Returns true if there are
// any.
bool KeepAsBefore(const std::string& name, const Table& before, Report* report) {
  const std::vector<uint32_t> row = RowsCalled(name, FoldedRowsOf(before));
  if (row.size() != 1) return false;
  const std::span<const std::string_view> members = FoldedNames(before, row[0]);
  const std::unordered_set<std::string_view> wanted(members.begin(), members.end());
  for (Table& table : report->tables) {
    if (!table.human_readable) continue;
    const ReportColumn* names = FoldingNames(table);
    std::vector<uint32_t> rows;
    for (uint32_t i = 0; names != nullptr && i < table.rows; ++i) {
      if (wanted.count(names->texts[i]) > 0) rows.push_back(i);
    }
    if (rows.empty()) continue;
    KeepOnly(rows, report, &table);
    return true;
  }
  return false;
}

Failure NotOneFolded(const std::string& name, size_t found,
                     const std::vector<std::string_view>& all) {
  std::string hint = "no rows of this answer can be folded";
  if (!all.empty()) hint = fmt::format("with its scope, as in {}", all[0]);
  const std::string near = found == 0 ? Nearest(name, all) : "";
  if (!near.empty()) hint = "did you mean " + near + "?";
  const std::string_view count = found == 0 ? "no folded row is" : "several folded rows are";
  return UsageError(fmt::format("-unfold: {} called '{}'", count, name), std::move(hint));
}

}  // namespace

Result<void> Unfold(const std::string& name, const Table* before, Report* report,
                    Context& context) {
  std::vector<std::string_view> all;
  size_t found = 0;
  for (Table& table : report->tables) {
    const ReportColumn* names = FoldingNames(table);
    if (names == nullptr || !table.human_readable) continue;
    TFPROF_ASSIGN(const FoldPlan plan, PlanFold(table, *names, context));
    const FoldedRows folded =
        FoldedRowsOf(plan, NamesOfRows(plan, table, *names, report->pool.get()));
    const std::vector<uint32_t> rows = RowsCalled(name, folded);
    if (rows.size() == 1) {
      KeepOnly(plan.Members(rows[0]), report, &table);
      return {};
    }
    found += rows.size();
    all.insert(all.end(), folded.name.begin(), folded.name.end());
  }
  if (found == 0 && before != nullptr && KeepAsBefore(name, *before, report)) return {};
  return NotOneFolded(name, found, all);
}

}  // namespace tfprof
