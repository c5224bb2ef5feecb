// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/shared_heads.h"

#include <algorithm>

#include "emitters/printable.h"

namespace tfprof {
namespace {

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
    std::string printable;
    AppendPrintable(head.substr(0, end + 1), layout.utf8, &printable);
    const size_t cut = CellWidth(printable);
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

}  // namespace

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

void AppendWithoutHead(const LaidColumn& column, std::string_view text, bool utf8,
                       std::string* out) {
  if (column.head_bytes > 0) {
    out->append(utf8 ? "…" : "..");
    text.remove_prefix(column.head_bytes);
  }
  AppendPrintable(text, utf8, out);
}

}  // namespace tfprof
