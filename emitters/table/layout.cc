// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/query/query.h"
#include "core/report/keep_rows.h"
#include "core/text/append_format.h"
#include "core/text/units.h"
#include "emitters/cells.h"
#include "emitters/name_lists.h"
#include "emitters/printable.h"
#include "emitters/table/fit_width.h"

namespace tfprof {
namespace {

using ColumnKind = LaidColumn::Kind;

constexpr size_t kLongestCell = 2000;   // in a pipe: lists are unbounded
constexpr size_t kLongestTensor = 200;  // likewise, and its first numbers say little of it

// Shares refer to the measure that orders the rows, else to the first one: in a tree its total; in
// a list either one, since self and total are equal.
const ReportColumn* SharedColumn(const Report& report, const Table& table,
                                 const std::vector<const ReportColumn*>& columns) {
  for (const ReportColumn* column : columns) {
    const bool orders = column->spec.id == table.ordered_by && IsMeasure(column->spec.role);
    if (orders && TotalOf(report, MeasureId(*column)) != kNoInt) return column;
  }
  for (const ReportColumn* column : columns) {
    if (!IsMeasure(column->spec.role)) continue;
    const bool wanted_role = !table.tree || column->spec.role == ColumnRole::total;
    if (wanted_role && TotalOf(report, MeasureId(*column)) != kNoInt) return column;
    if (!table.tree) break;
  }
  return nullptr;
}

LaidColumn CellColumn(const Table& table, const ReportColumn& column, bool utf8) {
  LaidColumn laid{.column = &column, .right = IsNumber(column.spec.type)};
  laid.is_name = column.spec.id == "name";
  laid.is_indented = laid.is_name && table.tree;
  const std::string& title = column.spec.title.empty() ? column.spec.id : column.spec.title;
  laid.head = PrintableText(title, utf8);
  return laid;
}

// Returns the part of a row's name after its parent's name, where names are paths.
std::string_view NameBelowParent(const Table& table, const ReportColumn& column, size_t row) {
  const std::string_view name = column.texts[row];
  const uint32_t above = table.tree ? table.parent[row] : Table::kNoRow;
  if (above == Table::kNoRow) return table.tree && name == kRootName ? kRootTitle : name;
  const std::string_view parent = column.texts[above];
  const bool is_below = !parent.empty() && name.size() > parent.size() + 1 &&
                        name.starts_with(parent) && name[parent.size()] == '/';
  return is_below ? name.substr(parent.size() + 1) : name;
}

// Appends a list or a tensor.
void AppendLong(const ReportColumn& column, size_t row, bool utf8, std::string* out) {
  if (column.spec.type == CellType::texts) {
    return AppendNamesOfCell(column, row, kLongestCell, utf8, out);
  }
  std::string raw;
  AppendPlain(column, row, false, &raw);
  const TensorValue* tensor = column.tensors.empty() ? nullptr : column.tensors[row].get();
  if (tensor != nullptr && raw.size() > kLongestTensor) {
    const size_t values = std::max(tensor->reals.size(), tensor->integers.size());
    raw.resize(raw.rfind(',', kLongestTensor) + 1);
    raw += " ... " + std::to_string(values) + " values";
  }
  AppendPrintable(raw, utf8, out);
}

bool IsHiddenSelf(const Layout& layout, const LaidColumn& column, size_t row) {
  return layout.table->tree && column.column->spec.role == ColumnRole::self &&
         layout.accounted != nullptr && layout.accounted->Integer(row) == 0;
}

// A label extends over empty cells after it; otherwise its column is widened.
void MakeRoomForLabels(Layout* layout) {
  for (size_t i = 0; i < layout->columns.size(); ++i) {
    LaidColumn& column = layout->columns[i];
    for (size_t line = 0; column.labels && line < column.sums.size(); ++line) {
      const size_t label = CellWidth(column.sums[line]);
      column.width += label - std::min(label, RoomForLabel(*layout, i, line));
    }
  }
}

// Share (100.0), cumulative percent (run%) and bar have fixed widths; cells are measured. `cuts`:
// cells wider than their column are cut; otherwise cells may be wider than their column.
Result<void> MeasureWidths(bool cuts, Layout* layout, Context& context) {
  std::string cell;
  std::vector<PadWidth> pads(layout->columns.size());
  for (LaidColumn& column : layout->columns) {
    column.width = CellWidth(column.head);
    if (column.kind == ColumnKind::bar) column.width = kBarWidth;
    if (column.kind == ColumnKind::number) {
      column.width = std::to_string(layout->table->PrintedRows()).size();
    } else if (column.kind != ColumnKind::cell) {
      column.width = std::max<size_t>(column.width, 5);
    }
    for (const std::string& sum : column.sums) {
      if (!column.labels) column.cells_width = std::max(column.cells_width, CellWidth(sum));
    }
    column.width = std::max(column.width, column.cells_width);
  }
  for (size_t row = 0; row < layout->table->PrintedRows(); ++row) {
    if (row % 4096 == 0) TFPROF_TRY(Poll(context));
    for (size_t i = 0; i < pads.size(); ++i) {
      LaidColumn& column = layout->columns[i];
      if (column.kind != ColumnKind::cell) continue;
      cell.clear();
      AppendHumanCell(*layout, column, row, 0, &cell);
      size_t width = CellWidth(cell);
      if (column.is_indented) {
        width += size_t{2} * IndentLevels(*layout->table, row);
      }
      column.cells_width = std::max(column.cells_width, width);
      if (cuts || column.right) column.width = std::max(column.width, width);
      if (!cuts && !column.right) pads[i].Add(width);
    }
  }
  for (size_t i = 0; i < pads.size(); ++i) {
    layout->columns[i].width = std::max(layout->columns[i].width, pads[i].Widest());
  }
  MakeRoomForLabels(layout);
  return {};
}

bool HasValue(const ReportColumn& column, size_t rows) {
  for (size_t row = 0; row < rows; ++row) {
    if (IsAbsent(column, row)) continue;
    if (column.spec.type == CellType::text && column.texts[row].empty()) continue;
    if (column.spec.type == CellType::texts && column.lists[row].empty()) continue;
    return true;
  }
  return false;
}

void LeaveOutUnknown(const Table& table, Layout* layout) {
  const size_t rows = table.PrintedRows();
  // Columns of -select stay even if they are empty.
  const bool selected =
      std::any_of(table.columns.begin(), table.columns.end(),
                  [](const ReportColumn& column) { return IsMeasure(column.spec.role); });
  if (rows == 0 || selected) return;
  std::erase_if(layout->columns, [&](const LaidColumn& column) {
    const bool unknown =
        column.column->spec.long_text == LongText::no && !HasValue(*column.column, rows);
    if (unknown) layout->unknown.push_back(column);
    return unknown;
  });
}

}  // namespace

uint32_t IndentLevels(const Table& table, size_t row) {
  return table.tree ? std::min(table.depth[row], kDeepestIndent) : 0;
}

size_t Indent(const Layout& layout, const LaidColumn& column, size_t row, std::string_view text) {
  if (!column.is_indented) return 0;
  const size_t indent = size_t{2} * IndentLevels(*layout.table, row);
  const size_t half = column.width / 2;
  if (indent <= half) return indent;
  return std::min(indent, std::max(half, column.width - std::min(column.width, CellWidth(text))));
}

void AppendShare(int64_t value, int64_t total, std::string* out) {
  if (total <= 0 || value == kNoInt) return out->push_back('-');
  AppendHumanReal(100.0 * static_cast<double>(value) / static_cast<double>(total), Unit::percent,
                  out);
}

void AppendHumanCell(const Layout& layout, const LaidColumn& column, size_t row, int64_t running,
                     std::string* out) {
  if (column.kind == ColumnKind::bar || column.kind == ColumnKind::label) return;
  if (column.kind == ColumnKind::number) return AppendInteger(row + 1, out);
  if (column.kind == ColumnKind::share) {
    return AppendShare(layout.shared->Integer(row), layout.total, out);
  }
  if (column.kind == ColumnKind::running) return AppendShare(running, layout.total, out);
  const ReportColumn& cells = *column.column;
  if (IsHiddenSelf(layout, column, row)) return;
  if (IsAbsent(cells, row)) return out->push_back('-');
  if (cells.spec.role == ColumnRole::folded_rows) {
    if (cells.Integer(row) > 1) AppendFormat(out, "x{}", cells.Integer(row));
    return;
  }
  switch (cells.spec.type) {
    case CellType::integer:
      return AppendHuman(cells.Integer(row), cells.spec.unit, out, cells.spec.divisor);
    case CellType::boolean: out->append(cells.Integer(row) != 0 ? "yes" : "no"); return;
    case CellType::real: return AppendHumanReal(cells.reals[row], cells.spec.unit, out);
    case CellType::text:
      if (!column.is_name) return AppendWithoutHead(column, cells.texts[row], layout.utf8, out);
      if (layout.table->tree && layout.table->depth[row] > kDeepestIndent) {
        AppendFormat(out, "{{{}}} ", layout.table->depth[row]);
      }
      return AppendPrintable(NameBelowParent(*layout.table, cells, row), layout.utf8, out);
    default: return AppendLong(cells, row, layout.utf8, out);
  }
}

std::vector<const Table*> TablesForHumans(const Report& report, const Display& display) {
  std::vector<const Table*> tables;
  for (const Table& table : report.tables) {
    // -columns cannot name columns of a following table.
    const bool picked = !FollowsFirst(table) && ColumnsArePicked(table, display);
    const bool selected = display.columns.empty() || picked;
    if (table.human_readable && selected) tables.push_back(&table);
  }
  return tables;
}

bool HaveTitles(const Report& report) { return TablesForHumans(report, {}).size() > 1; }

std::string HeadingOf(const Table& table) {
  std::string heading = table.title.empty() ? table.name : table.title;
  std::replace(heading.begin(), heading.end(), '_', ' ');
  return heading;
}

Layout LayOutWithoutWidths(const Report& report, const Table& table, const Query& query,
                           const Style& style) {
  Layout layout{.table = &table, .accounted = table.Find("accounted"), .utf8 = style.utf8};
  const std::vector<const ReportColumn*> columns = ColumnsForHumans(table, query.display);
  layout.shared = SharedColumn(report, table, columns);
  if (layout.shared != nullptr) layout.total = TotalOf(report, MeasureId(*layout.shared));
  const bool has_shares = std::ranges::any_of(
      columns, [](const ReportColumn* column) { return column->spec.id == "share_pct"; });
  for (const ReportColumn* column : columns) {
    layout.columns.push_back(CellColumn(*layout.table, *column, style.utf8));
    if (column != layout.shared) continue;
    if (!has_shares) {
      layout.columns.push_back({.kind = ColumnKind::share, .head = "%", .right = true});
    }
    if (!table.tree) {
      layout.columns.push_back({.kind = ColumnKind::running, .head = "cum %", .right = true});
    }
  }
  if (!ColumnsArePicked(table, query.display)) LeaveOutUnknown(table, &layout);
  return layout;
}

Result<Layout> LayOut(const Report& report, const Table& table, const Query& query,
                      const Style& style, Context& context) {
  Layout layout = LayOutWithoutWidths(report, table, query, style);
  if (!ColumnsArePicked(table, query.display)) {
    std::erase_if(layout.columns, [](const LaidColumn& column) {
      return column.kind == ColumnKind::cell && column.column->spec.long_text != LongText::no;
    });
  }
  for (size_t i = 0; i < layout.columns.size(); ++i) {
    const bool last_share =
        layout.columns[i].kind == (table.tree ? ColumnKind::share : ColumnKind::running);
    if (!last_share) continue;
    layout.columns.insert(layout.columns.begin() + static_cast<ptrdiff_t>(i) + 1,
                          LaidColumn{.kind = ColumnKind::bar});
    break;
  }
  AddSums(report, &layout);
  if (style.numbered && &table == report.tables.data()) {
    layout.columns.insert(layout.columns.begin(),
                          LaidColumn{.kind = ColumnKind::number, .head = "#", .right = true});
    layout.columns.front().sums.resize(layout.columns.back().sums.size());
  }
  TFPROF_TRY(MeasureWidths(style.columns > 0, &layout, context));
  if (style.columns > 0) FitWidth(static_cast<size_t>(style.columns), &layout);
  return layout;
}

}  // namespace tfprof
