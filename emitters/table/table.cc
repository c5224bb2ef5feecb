// SPDX-License-Identifier: Apache-2.0
// -format table: aligned columns with units, for terminals. The first measure is followed by its
// share of the total, in a list the cumulative percent, and a bar. Below the rows: the rows that -n
// cut off and the total; then the meaning of `-`, columns that did not fit, the filters in force,
// and the notes of the profile.
#include <algorithm>

#include "core/base/arith.h"
#include "emitters/cells.h"
#include "emitters/emitter.h"
#include "emitters/name_lists.h"
#include "emitters/notes.h"
#include "emitters/printable.h"
#include "emitters/table/facts.h"
#include "emitters/table/layout.h"
#include "emitters/table/omitted.h"
#include "emitters/table/parts.h"
#include "emitters/table/screen.h"

namespace tfprof {
namespace {

using ColumnKind = LaidColumn::Kind;

// One line of text, without trailing spaces.
struct Line {
  std::string* out;
  const Style& style;
  size_t pending = 0;  // spaces that are written before the next text
  size_t over = 0;     // pending spaces that a label already took

  void Cell(std::string_view text, size_t width, bool right, std::string_view color = {}) {
    std::string cut;
    const size_t max = style.columns > 0 ? width : std::max(width, CellWidth(text));
    const size_t used = AppendCut(text, max, style.utf8, &cut);
    const size_t fill = max == width ? width - used : 0;
    if (right) pending += fill;
    if (!cut.empty()) {
      pending -= std::min(over, pending);
      over = 0;
      out->append(pending, ' ');
      pending = 0;
      AppendPainted(cut, color, style, out);
    }
    pending += kColumnGap + (right ? 0 : fill);
  }
  void Label(std::string_view text, size_t width, size_t room) {
    const size_t taken = std::max(width, std::min(room, CellWidth(text)));
    Cell(text, taken, false, kDim);
    over = taken - width;
  }
  void End() { out->push_back('\n'); }
};

// Appends a bar of `eighths` of a cell, from the left.
void AppendBar(int64_t value, int64_t total, bool utf8, std::string* out) {
  if (value <= 0 || total <= 0) return;
  const double share = std::min(1.0, static_cast<double>(value) / static_cast<double>(total));
  if (!utf8) {
    out->append(static_cast<size_t>(share * kBarWidth + 0.5), '#');
    return;
  }
  constexpr std::string_view kParts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<size_t>(share * kBarWidth * 8 + 0.5);
  for (size_t i = 0; i < eighths / 8; ++i) out->append("█");
  out->append(kParts[eighths % 8]);
}

std::string_view HeatOf(const Layout& layout, int64_t value) {
  if (layout.total <= 0 || value == kNoInt) return {};
  const double share = static_cast<double>(value) / static_cast<double>(layout.total);
  return share >= 0.25 ? kRed : share >= 0.1 ? kYellow : std::string_view();
}

// True if `text` is the cell of a list, which is not cut like other texts.
bool IsCutList(const LaidColumn& column, std::string_view text) {
  return column.narrowed && column.column->spec.type == CellType::texts &&
         CellWidth(text) > column.width;
}

void AppendRow(const Layout& layout, const std::vector<DistinctCuts>& cuts, const Style& style,
               size_t row, int64_t running, bool card, std::string* out) {
  Line line{out, style};
  std::string text;
  const int64_t value = layout.shared == nullptr ? kNoInt : layout.shared->Integer(row);
  const std::string_view plain = card ? kBold : std::string_view();
  for (size_t i = 0; i < layout.columns.size(); ++i) {
    const LaidColumn& column = layout.columns[i];
    text.clear();
    if (column.kind == ColumnKind::bar) {
      AppendBar(value, layout.total, style.utf8, &text);
    } else {
      AppendHumanCell(layout, column, row, running, &text);
    }
    const size_t indent = Indent(layout, column, row, text);
    if (const auto cut = cuts[i].find(row); cut != cuts[i].end()) text = cut->second;
    if (IsCutList(column, text)) {
      text.clear();
      AppendNamesOfCell(*column.column, row, column.width, style.utf8, &text);
    }
    const std::string_view color = column.kind == ColumnKind::share ? HeatOf(layout, value) : plain;
    line.pending += indent;
    line.Cell(text, column.width - indent, column.right, color);
  }
  line.End();
}

// Appends the lines of omitted rows that follow `row` of a tree.
void AppendOmitted(const Layout& layout, const Style& style, size_t row, std::string* out) {
  std::string text;
  for (const uint32_t parent : OmittedAfter(layout, row)) {
    Line line{out, style};
    for (const LaidColumn& column : layout.columns) {
      const size_t indent = column.is_name ? OmittedIndent(layout, parent) : 0;
      text.clear();
      AppendOmittedCell(layout, column, parent, &text);
      line.pending += indent;
      line.Cell(text, column.width - std::min(column.width, indent), column.right, kDim);
    }
    line.End();
  }
}

void AppendHead(const Layout& layout, const Style& style, std::string* out) {
  Line line{out, style};
  for (const LaidColumn& column : layout.columns) {
    line.Cell(column.head, column.width, column.right, kBold);
  }
  line.End();
}

// True if the table has sums: what -n cut off, and the total.
bool HasSums(const Layout& layout) {
  return !layout.columns.empty() && !layout.columns[0].sums.empty();
}

void AppendSums(const Layout& layout, const Style& style, std::string* out) {
  if (!HasSums(layout)) return;
  for (size_t i = 0; i < layout.columns[0].sums.size(); ++i) {
    Line line{out, style};
    for (size_t at = 0; at < layout.columns.size(); ++at) {
      const LaidColumn& column = layout.columns[at];
      if (column.labels) {
        line.Label(column.sums[i], column.width, RoomForLabel(layout, at, i));
      } else {
        line.Cell(column.sums[i], column.width, column.right, kDim);
      }
    }
    line.End();
  }
}

// If all rows are shown, "none" is the answer; else options may hide rows.
std::string Nothing(const Table& table, const Display& display) {
  return IsCards(table, display) && !HidesRows(table, display) ? "no " + HeadingOf(table)
                                                               : "(no rows)";
}

Result<void> EmitOne(const Report& report, const Table& table, const Query& query,
                     const Style& style, Sink& sink, Context& context) {
  TFPROF_ASSIGN(const Layout layout, LayOut(report, table, query, style, context));
  TFPROF_ASSIGN(const std::vector<DistinctCuts> cuts, CutDistinct(layout, context));
  const bool cards = IsCards(table, query.display);
  const bool headed = !layout.columns.empty();
  const bool empty = table.PrintedRows() == 0;
  if (headed && (!empty || HasSums(layout))) AppendHead(layout, style, &sink.buffer);
  int64_t running = 0;
  TFPROF_TRY(EachRow(table.PrintedRows(), sink, context, [&](size_t row) {
    if (layout.shared != nullptr && layout.shared->Integer(row) != kNoInt) {
      running = SaturatingAdd(running, layout.shared->Integer(row));
    }
    if (headed) AppendRow(layout, cuts, style, row, running, cards, &sink.buffer);
    if (cards) AppendCard(table, row, headed, style, &sink.buffer);
    if (headed) AppendOmitted(layout, style, row, &sink.buffer);
  }));
  if (empty && table.unchanged_rows == 0) sink.Append(Nothing(table, query.display) + "\n");
  AppendSums(layout, style, &sink.buffer);
  if (!cards) AppendBelow(table, query, style, &sink.buffer);
  AppendFooter(layout, report, query, style, &sink.buffer);
  return {};
}

void AppendNotes(const Report& report, const Style& style, std::string* out) {
  for (const std::string& note : NotesBelow(report)) {
    AppendWrapped(PrintableText(note, style.utf8), 0, style, out);
  }
}

// Pictures show all rows, so they are omitted if -where or -columns picks some.
void AppendChartsOf(const Report& report, const Query& query, const Style& style,
                    std::string* out) {
  if (!query.display.where.empty() || !query.display.columns.empty()) return;
  std::string drawn;
  AppendCharts(report.charts, style, &drawn);
  if (drawn.empty()) return;
  if (!out->empty()) out->push_back('\n');
  drawn.pop_back();  // an empty line follows in any case
  out->append(drawn);
}

}  // namespace

Result<void> EmitTable(const Report& report, const Query& query, const Style& style, Sink& sink,
                       Context& context) {
  const size_t begin = sink.buffer.size();
  AppendFacts(report, style, &sink.buffer);
  AppendChartsOf(report, query, style, &sink.buffer);
  const std::vector<const Table*> tables = TablesForHumans(report, query.display);
  for (const Table* table : tables) {
    if (sink.buffer.size() > begin || table != tables.front()) sink.Append("\n");
    if (HaveTitles(report)) {
      AppendPainted(PrintableText(HeadingOf(*table), style.utf8), kBold, style, &sink.buffer);
      sink.Append("\n");
    }
    TFPROF_TRY(EmitOne(report, *table, query, style, sink, context));
  }
  AppendFolded(report, style, &sink.buffer);
  AppendFilters(query, style, &sink.buffer);
  AppendNotes(report, style, &sink.buffer);
  AppendCommands(report, style, &sink.buffer);
  return {};
}

}  // namespace tfprof
