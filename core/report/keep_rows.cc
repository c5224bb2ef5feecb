// SPDX-License-Identifier: Apache-2.0
#include "core/report/keep_rows.h"

#include <algorithm>
#include <utility>

namespace tfprof {
namespace {

// By old row: the new row, or kNoRow.
std::vector<uint32_t> NewRows(std::span<const uint32_t> rows, size_t rows_before) {
  std::vector<uint32_t> renumbered(rows_before, Table::kNoRow);
  for (uint32_t i = 0; i < rows.size(); ++i) renumbered[rows[i]] = i;
  return renumbered;
}

template <class T>
void Gather(std::span<const uint32_t> rows, std::vector<T>* values) {
  if (values->empty()) return;
  std::vector<T> kept;
  kept.reserve(rows.size());
  for (const uint32_t row : rows) kept.push_back(std::move((*values)[row]));
  *values = std::move(kept);
}

Column<MeasureValues> Gathered(std::span<const uint32_t> rows, const Column<MeasureValues>& from) {
  Column<MeasureValues> kept;
  if (from.empty()) return kept;
  kept.Reserve(rows.size());
  for (const uint32_t row : rows) kept.Push(from[row]);
  return kept;
}

// If the column points into `from`, points it to the same measure in `to`.
bool Repoint(const Column<MeasureValues>& from, const Column<MeasureValues>& to,
             ReportColumn* column) {
  if (from.empty()) return false;
  const int64_t* begin = from.data()->data();
  if (column->first < begin || column->first >= begin + kMeasures) return false;
  // Without rows the pointer is never read, but null would mean `integers`.
  static constexpr MeasureValues kNoRows{};
  const int64_t* base = to.empty() ? kNoRows.data() : to.data()->data();
  column->first = base + (column->first - begin);
  return true;
}

void GatherColumn(std::span<const uint32_t> rows, ReportColumn* column) {
  Gather(rows, &column->integers);
  Gather(rows, &column->reals);
  Gather(rows, &column->texts);
  Gather(rows, &column->lists);
  Gather(rows, &column->tensors);
}

// The items of row i are items[first[i] .. first[i + 1]).
template <class T>
void GatherItems(std::span<const uint32_t> rows, std::vector<uint32_t>* first,
                 std::vector<T>* items) {
  if (first->empty()) return;
  std::vector<uint32_t> kept_first{0};
  std::vector<T> kept;
  for (const uint32_t row : rows) {
    kept.insert(kept.end(), items->begin() + (*first)[row], items->begin() + (*first)[row + 1]);
    kept_first.push_back(static_cast<uint32_t>(kept.size()));
  }
  *first = std::move(kept_first);
  *items = std::move(kept);
}

// Pulls blocks until one has rows left: a result of 0 would mean the end.
template <class T>
void Renumber(const std::vector<uint32_t>& new_rows, Cursor<T>* cursor) {
  if (!*cursor) return;
  *cursor = [from = std::move(*cursor), new_rows](std::span<T> out) -> size_t {
    while (const size_t filled = from(out)) {
      size_t kept = 0;
      for (size_t i = 0; i < filled; ++i) {
        T item = out[i];
        if (item.row != Table::kNoRow) {
          item.row = new_rows[item.row];
          if (item.row == Table::kNoRow) continue;
        }
        out[kept++] = item;
      }
      if (kept > 0) return kept;
    }
    return 0;
  };
}

const ReportColumn* RowOfFirst(const Table& table) {
  for (const ReportColumn& column : table.columns) {
    if (column.spec.role == ColumnRole::row_of_first) return &column;
  }
  return nullptr;
}

void Follow(const std::vector<uint32_t>& new_rows, Table* table) {
  std::vector<std::pair<uint32_t, uint32_t>> kept;  // new row of the first table, row of this one
  const ReportColumn* of_first = RowOfFirst(*table);
  for (uint32_t row = 0; row < table->rows; ++row) {
    const uint32_t new_row = new_rows[static_cast<size_t>(of_first->Integer(row))];
    if (new_row != Table::kNoRow) kept.push_back({new_row, row});
  }
  std::sort(kept.begin(), kept.end());
  std::vector<uint32_t> rows;
  for (const auto& [new_row, row] : kept) rows.push_back(row);
  KeepRows(rows, table);
  for (ReportColumn& column : table->columns) {
    if (column.spec.role != ColumnRole::row_of_first) continue;
    for (size_t i = 0; i < kept.size(); ++i) column.integers[i] = kept[i].first;
  }
}

// A list has no rows other than its cells. The texts of a block become invalid with it.
void TakeCells(const ReportColumn& from, size_t rows, TextPool* pool, ReportColumn* to) {
  switch (from.spec.type) {
    case CellType::integer:
    case CellType::boolean:
      for (size_t row = 0; row < rows; ++row) to->integers.push_back(from.Integer(row));
      break;
    case CellType::real:
      to->reals.insert(to->reals.end(), from.reals.begin(),
                       from.reals.begin() + static_cast<ptrdiff_t>(rows));
      break;
    case CellType::text:
      for (size_t row = 0; row < rows; ++row) {
        const std::string_view text = from.texts[row];
        to->texts.push_back(text.data() == nullptr ? text : pool->Keep(std::string(text)));
      }
      break;
    case CellType::texts:
    case CellType::tensor: break;  // not in blocks
  }
}

}  // namespace

void KeepRows(std::span<const uint32_t> rows, Table* table) {
  Column<MeasureValues> self = Gathered(rows, table->self_values);
  Column<MeasureValues> total = Gathered(rows, table->total_values);
  for (ReportColumn& column : table->columns) {
    const bool repointed =
        Repoint(table->self_values, self, &column) || Repoint(table->total_values, total, &column);
    if (!repointed) GatherColumn(rows, &column);
    Gather(rows, &column.omitted_below);
  }
  table->self_values = std::move(self);
  table->total_values = std::move(total);
  if (table->tree) {
    const std::vector<uint32_t> new_rows = NewRows(rows, table->rows);
    Gather(rows, &table->parent);
    Gather(rows, &table->depth);
    Gather(rows, &table->omitted_below);
    for (uint32_t& parent : table->parent) {
      if (parent != Table::kNoRow) parent = new_rows[parent];
    }
  }
  Gather(rows, &table->node);
  GatherItems(rows, &table->first_member, &table->members);
  GatherItems(rows, &table->first_folded, &table->folded);
  table->rows = rows.size();
}

bool FollowsFirst(const Table& table) { return RowOfFirst(table) != nullptr; }

void FollowFirst(const std::vector<uint32_t>& rows, std::span<const uint32_t> cut,
                 size_t rows_before, Report* report) {
  const std::vector<uint32_t> were_cut = NewRows(cut, rows_before);
  for (Table& table : report->tables) {
    const ReportColumn* of_first = RowOfFirst(table);
    for (size_t row = 0; of_first != nullptr && row < table.rows; ++row) {
      const auto first = static_cast<size_t>(of_first->Integer(row));
      if (were_cut[first] != Table::kNoRow) ++table.omitted_rows;
    }
  }
  FollowRows(NewRows(rows, rows_before), report);
}

void FollowRows(const std::vector<uint32_t>& new_rows, Report* report) {
  for (Table& table : report->tables) {
    if (FollowsFirst(table)) Follow(new_rows, &table);
  }
  Renumber(new_rows, &report->samples);
}

Result<void> TakeBlocks(size_t max, Report* report, Context& context) {
  if (!report->blocks) return {};
  Table& table = report->tables[0];
  while (true) {
    TFPROF_ASSIGN(const Table* block, report->blocks(context));
    if (block == nullptr) break;
    const size_t taken = std::min(block->rows, max - std::min(max, table.rows));
    for (ReportColumn& column : table.columns) {
      const ReportColumn* from = block->Find(column.spec.id);
      if (from != nullptr) TakeCells(*from, taken, report->pool.get(), &column);
    }
    table.rows += taken;
    table.omitted_rows += static_cast<int64_t>(block->rows - taken);
  }
  report->blocks = {};
  return {};
}

}  // namespace tfprof
