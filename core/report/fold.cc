// SPDX-License-Identifier: Apache-2.0
#include "core/report/fold.h"

#include <algorithm>
#include <cmath>

#include "core/base/arith.h"
#include "core/report/fold_plan.h"
#include "core/report/keep_rows.h"
#include "core/report/refine.h"

namespace tfprof {
namespace {

using Rows = std::span<const uint32_t>;

// ---- combining cells: the result goes into the cell of the first row

int64_t SumOf(int64_t sum, int64_t value) {
  if (value == kNoInt) return sum;
  return sum == kNoInt ? value : SaturatingAdd(sum, value);
}

bool AreAlike(const ReportColumn& column, uint32_t a, uint32_t b) {
  if (IsAbsent(column, a) || IsAbsent(column, b)) return IsAbsent(column, a) && IsAbsent(column, b);
  switch (column.spec.type) {
    case CellType::integer:
    case CellType::boolean: return column.Integer(a) == column.Integer(b);
    case CellType::real: return column.reals[a] == column.reals[b];
    case CellType::text: return column.texts[a] == column.texts[b];
    case CellType::texts: return column.lists[a] == column.lists[b];
    case CellType::tensor: return column.tensors[a] == column.tensors[b];
  }
  return false;
}

void MakeAbsent(uint32_t row, ReportColumn* column) {
  switch (column->spec.type) {
    case CellType::integer:
    case CellType::boolean: column->integers[row] = kNoInt; break;
    case CellType::real: column->reals[row] = kNoReal; break;
    case CellType::text: column->texts[row] = {}; break;
    case CellType::texts: column->lists[row].clear(); break;
    case CellType::tensor: column->tensors[row] = nullptr; break;
  }
}

void KeepAlike(Rows rows, ReportColumn* column) {
  for (const uint32_t row : rows.subspan(1)) {
    if (!AreAlike(*column, rows[0], row)) return MakeAbsent(rows[0], column);
  }
}

void AddUp(Rows rows, ReportColumn* column) {
  if (column->spec.type == CellType::integer) {
    int64_t& sum = column->integers[rows[0]];
    for (const uint32_t row : rows.subspan(1)) sum = SumOf(sum, column->integers[row]);
    return;
  }
  double& sum = column->reals[rows[0]];
  for (const uint32_t row : rows.subspan(1)) {
    const double value = column->reals[row];
    if (!std::isnan(value)) sum = std::isnan(sum) ? value : sum + value;
  }
}

// NaN: no row has both a value and a weight.
void TakeMean(Rows rows, const ReportColumn& weights, ReportColumn* column) {
  double sum = 0, weight = 0;
  for (const uint32_t row : rows) {
    if (IsAbsent(*column, row) || IsAbsent(weights, row)) continue;
    const auto of_row = static_cast<double>(weights.Integer(row));
    sum += of_row * column->reals[row];
    weight += of_row;
  }
  column->reals[rows[0]] = sum / weight;
}

void Unite(Rows rows, ReportColumn* column) {
  std::vector<std::string_view>& all = column->lists[rows[0]];
  for (const uint32_t row : rows.subspan(1)) {
    all.insert(all.end(), column->lists[row].begin(), column->lists[row].end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

// Measures of the table and names are combined for all rows at once, means before that.
void Combine(Rows rows, ReportColumn* column) {
  if (column->first != nullptr) return;
  switch (column->spec.folds) {
    case Folds::alike: return KeepAlike(rows, column);
    case Folds::sum: return AddUp(rows, column);
    case Folds::any: return Unite(rows, column);
    case Folds::mean:
    case Folds::same:
    case Folds::names: return;
  }
}

// Runs while the weights still belong to the single rows.
void CombineMeans(Rows rows, Table* table) {
  for (ReportColumn& column : table->columns) {
    if (column.spec.folds != Folds::mean) continue;
    TakeMean(rows, *table->Find(column.spec.weight), &column);
  }
}

// ---- the folded table

// By old row, the row of the folded table.
std::vector<uint32_t> NewRows(const FoldPlan& plan) {
  std::vector<uint32_t> new_rows(plan.members.size());
  for (uint32_t i = 0; i < plan.rows(); ++i) {
    for (const uint32_t row : plan.Members(i)) new_rows[row] = i;
  }
  return new_rows;
}

// Runs in row order: the members of one folded row are far apart in memory.
void AddMeasures(const FoldPlan& plan, const std::vector<uint32_t>& new_rows,
                 Column<MeasureValues>* values) {
  if (values->empty()) return;
  for (size_t row = 0; row < new_rows.size(); ++row) {
    const uint32_t first = plan.Members(new_rows[row])[0];
    if (first == row) continue;
    MeasureValues& sums = (*values)[first];
    for (size_t i = 0; i < kMeasures; ++i) sums[i] = SumOf(sums[i], (*values)[row][i]);
  }
}

// Adds a column with the number of rows in each folded row, after the names.
void AddCounts(std::vector<int64_t> rows, Table* table) {
  ReportColumn counts;
  counts.spec.id = counts.spec.title = kFoldedRows;
  counts.spec.unit = Unit::count;
  counts.spec.role = ColumnRole::folded_rows;
  counts.spec.meaning = "Number of rows folded into this one, alike except for a number.";
  counts.integers = std::move(rows);
  const auto names = table->columns.begin() + (FoldingNames(*table) - table->columns.data());
  table->columns.insert(names + 1, std::move(counts));
}

void CombineRows(const FoldPlan& plan, Table* table) {
  for (size_t i = 0; i < plan.rows(); ++i) {
    const Rows rows = plan.Members(i);
    if (rows.size() == 1) continue;
    CombineMeans(rows, table);
    for (ReportColumn& column : table->columns) Combine(rows, &column);
    if (!table->node.empty()) table->node[rows[0]] = NodeId();
  }
  const std::vector<uint32_t> new_rows = NewRows(plan);
  AddMeasures(plan, new_rows, &table->self_values);
  AddMeasures(plan, new_rows, &table->total_values);
}

void FoldTable(const FoldPlan& plan, std::vector<std::string_view> names, Table* table) {
  std::vector<uint32_t> kept;
  std::vector<uint32_t> first{0};
  std::vector<int64_t> counts;
  std::vector<std::string_view> folded;
  const ReportColumn& names_before = *FoldingNames(*table);
  for (size_t i = 0; i < plan.rows(); ++i) {
    const Rows rows = plan.Members(i);
    kept.push_back(rows[0]);
    counts.push_back(static_cast<int64_t>(rows.size()));
    if (rows.size() > 1) {
      for (const uint32_t row : rows) folded.push_back(names_before.texts[row]);
    }
    first.push_back(static_cast<uint32_t>(folded.size()));
  }
  CombineRows(plan, table);
  KeepRows(kept, table);
  table->columns[static_cast<size_t>(&names_before - table->columns.data())].texts =
      std::move(names);
  table->first_folded = std::move(first);
  table->folded = std::move(folded);
  AddCounts(std::move(counts), table);
}

}  // namespace

Result<void> Fold(Report* report, Context& context) {
  for (Table& table : report->tables) {
    const ReportColumn* names = FoldingNames(table);
    if (names == nullptr || table.synthetic_root) continue;
    TFPROF_ASSIGN(const FoldPlan plan, PlanFold(table, *names, context));
    const bool is_trivial = !table.tree && plan.rows() == 1;
    if (plan.rows() == table.rows || is_trivial) continue;
    TFPROF_TRY(Poll(context));
    FoldTable(plan, NamesOfRows(plan, table, *names, report->pool.get()), &table);
    if (&table == report->tables.data()) FollowRows(NewRows(plan), report);
  }
  return {};
}

void CountUnfolded(Report* report) {
  for (Table& table : report->tables) {
    const bool counted = std::any_of(
        table.columns.begin(), table.columns.end(),
        [](const ReportColumn& column) { return column.spec.role == ColumnRole::folded_rows; });
    if (counted || FoldingNames(table) == nullptr) continue;
    AddCounts(std::vector<int64_t>(table.rows, 1), &table);
  }
}

std::span<const std::string_view> FoldedNames(const Table& table, size_t row) {
  if (table.first_folded.empty()) return {};
  const uint32_t first = table.first_folded[row];
  return std::span(table.folded).subspan(first, table.first_folded[row + 1] - first);
}

}  // namespace tfprof
