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

size_t MarkWidth(bool utf8) { return utf8 ? 1 : 2; }

void CutHead(size_t most, const Layout& layout, LaidColumn* column) {
  const std::string_view head = SharedHead(*column->column, layout.table->PrintedRows());
  const size_t mark = MarkWidth(layout.utf8);
  for (size_t end = head.find_first_of(kEnds); end != head.npos;
       end = head.find_first_of(kEnds, end + 1)) {
    const size_t cut = CellWidth(PrintableText(head.substr(0, end + 1), layout.utf8));
    if (cut <= mark) continue;
    column->head_bytes = end + 1;
    if (column->width - cut + mark <= most) break;
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

using Kind = LaidColumn::Kind;

constexpr size_t kNarrowest = 12;     // texts are not made narrower
constexpr size_t kNarrowestHead = 7;  // heads of numbers; numbers are never cut
constexpr size_t kEasyName = 24;      // minimum readable width of names
constexpr size_t kEasyText = 16;      // minimum readable width of other texts

bool IsText(const LaidColumn& column) { return !column.right && column.kind == Kind::cell; }

// Returns the readable width of a column, in a line of `most` cells.
size_t Easy(const LaidColumn& column, size_t most) {
  if (!IsText(column)) return column.width;
  const size_t easy =
      column.is_name ? std::max(kEasyName, most / 3) : std::max(kEasyText, most / 4);
  return std::min(column.width, easy);
}
size_t Narrowest(const LaidColumn& column, size_t) {
  if (IsText(column)) return std::min(column.width, kNarrowest);
  const bool has_head = column.kind == Kind::cell;
  return has_head ? std::min(column.width, std::max(column.cells_width, kNarrowestHead))
                  : column.width;
}

// Returns by how much a line exceeds `most` cells if columns are as narrow as `least` allows.
size_t Excess(const Layout& layout, size_t most, size_t (*least)(const LaidColumn&, size_t)) {
  size_t width = 0;
  for (const LaidColumn& column : layout.columns) width += least(column, most) + kColumnGap;
  width -= std::min(width, kColumnGap);
  return width > most ? width - most : 0;
}

size_t Whole(const LaidColumn& column, size_t) { return column.width; }

// Takes `excess` cells from the widest columns. No column becomes narrower than another one that
// gives cells, unless `least` stops that one.
void Narrow(size_t excess, size_t most, size_t (*least)(const LaidColumn&, size_t),
            Layout* layout) {
  std::vector<size_t> limits;
  for (const LaidColumn& column : layout->columns) limits.push_back(least(column, most));
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

bool IsSpare(const LaidColumn& column) {
  return column.kind == Kind::cell && column.column->spec.spare;
}

// Returns the readable width of a column, including the gap after it.
size_t EasyWidth(const LaidColumn& column, size_t most) { return Easy(column, most) + kColumnGap; }

// Drops droppable columns from the right until the others are readable; then restores those that
// fit after all.
void DropSpare(size_t most, Layout* layout) {
  size_t excess = Excess(*layout, most, Easy), room = 0;
  std::vector<size_t> going;  // right to left
  for (size_t i = layout->columns.size(); excess > 0 && i-- > 1;) {
    if (!IsSpare(layout->columns[i])) continue;
    const size_t width = EasyWidth(layout->columns[i], most);
    room = width - std::min(width, excess);
    excess -= std::min(width, excess);
    going.push_back(i);
  }
  if (excess > 0) room = 0;
  for (size_t i = going.size(); i-- > 0;) {
    const size_t width = EasyWidth(layout->columns[going[i]], most);
    if (width > room) continue;
    room -= width;
    going.erase(going.begin() + static_cast<ptrdiff_t>(i));
  }
  for (const size_t i : going) Drop(i, layout);
}

// Names of devices and files begin alike and differ at their end: if there is no room for them, `…`
// replaces the prefix that a whole column shares.
// Sets head_bytes and the width in text columns wider than `most` cells, except names. A head ends
// after a `/` or `:`; no more of it is cut than the width requires.
void CutSharedHeads(size_t most, Layout* layout) {
  if (layout->table->PrintedRows() < 2) return;
  for (LaidColumn& column : layout->columns) {
    const bool is_text = column.kind == LaidColumn::Kind::cell && !column.is_name &&
                         column.column->spec.type == CellType::text;
    if (!is_text || column.width <= most) continue;
    CutHead(most, *layout, &column);
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

void FitWidth(size_t most, Layout* layout) {
  if (Excess(*layout, most, Whole) == 0) return;
  CutSharedHeads(most / 4, layout);
  if (Excess(*layout, most, Easy) > 0) {
    std::erase_if(layout->columns, [](const auto& c) { return c.kind == Kind::bar; });
  }
  DropSpare(most, layout);
  while (Excess(*layout, most, Narrowest) > 0 && layout->columns.size() > 1) {
    Drop(layout->columns.size() - 1, layout);
  }
  const bool easy = Excess(*layout, most, Easy) == 0;
  Narrow(Excess(*layout, most, Whole), most, easy ? Easy : Narrowest, layout);
  std::reverse(layout->dropped.begin(), layout->dropped.end());
}

}  // namespace tfprof
