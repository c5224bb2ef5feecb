// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/fit_width.h"

#include <algorithm>
#include <vector>

#include "emitters/printable.h"

namespace tfprof {
namespace {

constexpr size_t kScreen = 160;  // cells of a wide terminal

constexpr std::string_view kEnds = "/:";

// Returns the common prefix of all texts of the column, up to the last of kEnds; empty for a single
// text.
std::string_view SharedHead(const ReportColumn& column, size_t rows) {
  std::string_view head = column.texts[0];
  bool differ = false;
  for (size_t row = 1; row < rows; ++row) {
    const std::string_view text = column.texts[row];
    differ |= text != column.texts[0];
    const auto both = std::mismatch(head.begin(), head.end(), text.begin(), text.end());
    head = head.substr(0, static_cast<size_t>(both.first - head.begin()));
  }
  const size_t end = head.find_last_of(kEnds);
  return differ && end != head.npos ? head.substr(0, end + 1) : std::string_view();
}

void CutHead(size_t max, const Layout& layout, LaidColumn* column) {
  const std::string_view head = SharedHead(*column->column, layout.table->PrintedRows());
  const size_t mark = layout.utf8 ? 1 : 2;  // cells of `…` or `..`
  for (size_t end = head.find_first_of(kEnds); end != head.npos;
       end = head.find_first_of(kEnds, end + 1)) {
    const size_t cut = CellWidth(PrintableText(head.substr(0, end + 1), layout.utf8));
    if (cut <= mark) continue;
    column->head_bytes = end + 1;
    if (column->width - cut + mark <= max) break;
  }
}

// Returns the width of the widest cell or of the column's head.
size_t WidthOf(const Layout& layout, const LaidColumn& column) {
  size_t width = CellWidth(column.head);
  std::string cell;
  for (size_t row = 0; row < layout.table->PrintedRows(); ++row) {
    cell.clear();
    AppendWithoutHead(column, column.column->texts[row], layout.utf8, &cell);
    width = std::max(width, CellWidth(cell));
  }
  for (const std::string& sum : column.sums) {
    if (!column.labels) width = std::max(width, CellWidth(sum));
  }
  return width;
}

using ColumnKind = LaidColumn::Kind;

constexpr size_t kMinWidth = 12;      // texts are not made narrower
constexpr size_t kMinLabelWidth = 7;  // heads of numbers; numbers are never cut
constexpr size_t kReadableName = 24;  // minimum readable width of names
constexpr size_t kReadableText = 16;  // minimum readable width of other texts

bool IsText(const LaidColumn& column) { return !column.right && column.kind == ColumnKind::cell; }

// Returns the readable width of a column, in a line of `max` cells.
size_t ReadableWidth(const LaidColumn& column, size_t max) {
  if (!IsText(column)) return column.width;
  const size_t readable = column.is_indented ? std::max(kReadableName, max / 2)
                          : column.is_name   ? std::max(kReadableName, max / 3)
                                             : std::max(kReadableText, max / 4);
  return std::min(column.width, readable);
}
size_t Narrowest(const LaidColumn& column, size_t) {
  if (IsText(column)) return std::min(column.width, kMinWidth);
  const bool has_head = column.kind == ColumnKind::cell;
  return has_head ? std::min(column.width, std::max(column.cells_width, kMinLabelWidth))
                  : column.width;
}

// Returns by how much a line exceeds `max` cells if columns are as narrow as `min` allows.
size_t Excess(const Layout& layout, size_t max, size_t (*min)(const LaidColumn&, size_t)) {
  size_t width = 0;
  for (const LaidColumn& column : layout.columns) width += min(column, max) + kColumnGap;
  width -= std::min(width, kColumnGap);
  return width > max ? width - max : 0;
}

size_t FullWidth(const LaidColumn& column, size_t) { return column.width; }

// Takes `excess` cells from the widest columns. No column becomes narrower than another one that
// gives cells, unless `min` stops that one.
void Narrow(size_t excess, size_t max, size_t (*min)(const LaidColumn&, size_t), Layout* layout) {
  std::vector<size_t> limits;
  for (const LaidColumn& column : layout->columns) limits.push_back(min(column, max));
  for (; excess > 0; --excess) {
    LaidColumn* widest = nullptr;
    for (size_t i = 0; i < limits.size(); ++i) {
      LaidColumn& column = layout->columns[i];
      if (column.width <= limits[i]) continue;
      if (widest == nullptr || column.width > widest->width) widest = &column;
    }
    if (widest == nullptr) return;
    --widest->width;
    widest->narrowed = IsText(*widest);
  }
}

void Drop(size_t at, Layout* layout) {
  const auto column = layout->columns.begin() + static_cast<ptrdiff_t>(at);
  layout->dropped.push_back(std::move(*column));
  layout->columns.erase(column);
}

// Returns the readable width of a column, including the gap after it.
size_t ReadableWidthWithGap(const LaidColumn& column, size_t max) {
  return ReadableWidth(column, max) + kColumnGap;
}

// Drops droppable columns from the right until the others are readable; then restores those that
// fit after all.
void DropDroppable(size_t max, Layout* layout) {
  size_t excess = Excess(*layout, max, ReadableWidth), room = 0;
  std::vector<size_t> hidden;  // right to left
  for (size_t i = layout->columns.size(); excess > 0 && i-- > 1;) {
    const LaidColumn& column = layout->columns[i];
    if (column.kind != ColumnKind::cell || !column.column->spec.droppable) continue;
    const size_t width = ReadableWidthWithGap(column, max);
    room = width - std::min(width, excess);
    excess -= std::min(width, excess);
    hidden.push_back(i);
  }
  if (excess > 0) room = 0;
  for (size_t i = hidden.size(); i-- > 0;) {
    const size_t width = ReadableWidthWithGap(layout->columns[hidden[i]], max);
    if (width > room) continue;
    room -= width;
    hidden.erase(hidden.begin() + static_cast<ptrdiff_t>(i));
  }
  for (const size_t i : hidden) Drop(i, layout);
}

// Names of devices and files begin alike and differ at their end: if there is no room for them, `…`
// replaces the prefix that a whole column shares.
// Sets head_bytes and the width in text columns wider than `max` cells, except names. A head ends
// after a `/` or `:`; no more of it is cut than the width requires.
void CutSharedHeads(size_t max, Layout* layout) {
  if (layout->table->PrintedRows() < 2) return;
  for (LaidColumn& column : layout->columns) {
    const bool is_text = column.kind == LaidColumn::Kind::cell && !column.is_name &&
                         column.column->spec.type == CellType::text;
    if (!is_text || column.width <= max) continue;
    CutHead(max, *layout, &column);
    if (column.head_bytes > 0) column.width = WidthOf(*layout, column);
  }
}

}  // namespace

void PadWidth::Add(size_t width) {
  if (width >= cells_.size()) cells_.resize(width + 1);
  ++cells_[width];
  ++count_;
}

size_t PadWidth::Widest() const {
  size_t middle = 0;
  for (size_t below = 0; middle < cells_.size(); ++middle) {
    below += cells_[middle];
    if (2 * below > count_) break;
  }
  size_t widest = std::min(cells_.size(), std::max(kScreen, 2 * middle) + 1);
  while (widest > 0 && cells_[widest - 1] == 0) --widest;
  return widest == 0 ? 0 : widest - 1;
}

void AppendWithoutHead(const LaidColumn& column, std::string_view text, bool utf8,
                       std::string* out) {
  if (column.head_bytes > 0) {
    out->append(utf8 ? "…" : "..");
    text.remove_prefix(column.head_bytes);
  }
  AppendPrintable(text, utf8, out);
}

void FitWidth(size_t max, Layout* layout) {
  if (Excess(*layout, max, FullWidth) == 0) return;
  CutSharedHeads(max / 4, layout);
  if (Excess(*layout, max, ReadableWidth) > 0) {
    std::erase_if(layout->columns, [](const auto& c) { return c.kind == ColumnKind::bar; });
  }
  DropDroppable(max, layout);
  while (Excess(*layout, max, Narrowest) > 0 && layout->columns.size() > 1) {
    Drop(layout->columns.size() - 1, layout);
  }
  const bool readable = Excess(*layout, max, ReadableWidth) == 0;
  Narrow(Excess(*layout, max, FullWidth), max, readable ? ReadableWidth : Narrowest, layout);
  std::reverse(layout->dropped.begin(), layout->dropped.end());
}

}  // namespace tfprof
