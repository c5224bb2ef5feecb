// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "core/query/options.h"
#include "emitters/cells.h"
#include "emitters/notes.h"
#include "emitters/printable.h"
#include "emitters/table/parts.h"
#include "emitters/table/screen.h"

namespace tfprof {
namespace {

constexpr size_t kIndent = 4;  // of a card's lines below its first line
constexpr size_t kNarrow = 2;  // the indent if lines are shorter than kWide
constexpr int kWide = 60;

std::vector<const ReportColumn*> LongTexts(const Table& table) {
  std::vector<const ReportColumn*> found;
  for (const ReportColumn& column : table.columns) {
    if (column.spec.long_text != LongText::no && column.spec.shown) found.push_back(&column);
  }
  return found;
}

std::string_view ReasonAbsent(const ReportColumn& column, const Report& report,
                              const PlaceFilter& place) {
  const std::string_view id = MeasureId(column);
  if (TotalOf(report, id) != kNoInt) return "not recorded for these rows";
  const std::span<const MeasureInfo> measures = AllMeasures();
  const auto info = std::find_if(measures.begin(), measures.end(),
                                 [&](const MeasureInfo& measure) { return measure.id == id; });
  const bool of_hosts = info != measures.end() && info->measure == Measure::cpu_micros;
  const bool timed = TotalOf(report, Info(Measure::micros).id) != kNoInt;
  if (of_hosts && timed && place.FiltersPlaces())
    return "not recorded for the selected host or device";
  const bool of_memory = info != measures.end() && info->unit == Unit::bytes;
  if (of_memory && report.store->IsTrace()) return "operations recorded none, see `memory`";
  if (info != measures.end() && !info->absent.empty() && (!of_hosts || timed)) return info->absent;
  return report.store->EventCount() == 0 ? "no run was recorded" : "the run has no graph nodes";
}

bool HasAbsent(const ReportColumn& column, size_t rows) {
  for (size_t row = 0; row < rows; ++row) {
    if (IsAbsent(column, row)) return true;
  }
  return false;
}

// Absent measures have a known reason; other absent columns just lack values in some rows.
void AppendReasonAbsent(const Layout& layout, const Report& report, const Query& query,
                        const Style& style, std::string* out) {
  std::string text;
  std::vector<std::string_view> explained;
  bool any = false;
  for (const LaidColumn& column : layout.columns) {
    if (column.kind != LaidColumn::Kind::cell) continue;
    if (!HasAbsent(*column.column, layout.table->PrintedRows())) continue;
    any = true;
    const std::string_view measure = MeasureId(*column.column);
    if (column.column->spec.role == ColumnRole::plain) continue;
    if (std::find(explained.begin(), explained.end(), measure) != explained.end()) continue;
    explained.push_back(measure);
    text += fmt::format("{}{}: {}", text.empty() ? "- = absent; " : ", ", measure,
                        ReasonAbsent(*column.column, report, query.place));
  }
  if (any) AppendWrapped(text.empty() ? "- = unknown" : text, 0, style, out);
}

// Returns "block (block_dim), bound by (bound_by)": headings with the ids that -columns takes.
std::string NamesOf(const std::vector<LaidColumn>& columns) {
  std::string names;
  for (const LaidColumn& column : columns) {
    names += names.empty() ? "" : ", ";
    names += column.head;
    const bool differs = column.column != nullptr && column.column->spec.id != column.head;
    if (differs) names += " (" + column.column->spec.id + ")";
  }
  return names;
}

// Returns the options that narrow the answer, as they would be typed.
std::string ActiveFilterTexts(const Query& query) {
  const Query defaults;
  std::string text;
  for (const Option& option : Options()) {
    const bool narrows =
        Reads(kNarrowingOptions, option) || option.name == "where" || option.name == "unfold";
    const std::string value = option.print(query);
    const bool any_depth =
        option.name == "max_depth" && query.tree.max_depth == TreeFilter::kAnyDepth;
    if (!narrows || any_depth || value == option.print(defaults)) continue;
    text += (text.empty() ? "" : "  ") + FilterText(option, query);
  }
  return text;
}

}  // namespace

bool IsCards(const Table& table, const Display& display) {
  return LongTexts(table).size() > 1 && !ColumnsArePicked(table, display);
}

void AppendCard(const Table& table, size_t row, bool headed, const Style& style, std::string* out) {
  const size_t indent = style.columns > 0 && style.columns < kWide ? kNarrow : kIndent;
  const Style whole{.columns = 0};
  bool sentence = true;
  for (const ReportColumn* column : LongTexts(table)) {
    if (column->texts[row].empty()) continue;
    const bool verbatim = column->spec.long_text == LongText::verbatim;
    const bool labeled = !sentence && column->spec.long_text == LongText::labeled;
    std::string text = labeled ? column->spec.label + ": " : "", wrapped;
    AppendPrintable(column->texts[row], style.utf8, &text);
    const bool first = sentence && !headed;
    AppendWrapped(text, first ? 0 : indent, verbatim ? whole : style, &wrapped);
    AppendPainted(wrapped, first ? kBold : std::string_view(), style, out);
    sentence = false;
  }
  out->push_back('\n');
}

void AppendBelow(const Table& table, const Query& query, const Style& style, std::string* out) {
  if (ColumnsArePicked(table, query.display)) return;
  const std::vector<const ReportColumn*> below = LongTexts(table);
  for (size_t row = 0; row < table.PrintedRows(); ++row) {
    for (const ReportColumn* column : below) {
      if (column->texts[row].empty()) continue;
      const bool labeled = column->spec.long_text == LongText::labeled;
      std::string raw = labeled ? column->spec.label + " " : "";
      AppendPlain(table.columns[0], row, false, &raw);
      raw.append(": ").append(column->texts[row]);
      AppendWrapped(PrintableText(raw, style.utf8), 0, style, out);
    }
  }
}

bool HidesRows(const Table& table, const Display& display) {
  return table.omitted_rows > 0 || !display.where.empty();
}

void AppendFooter(const Layout& layout, const Report& report, const Query& query,
                  const Style& style, std::string* out) {
  AppendReasonAbsent(layout, report, query, style, out);
  if (!layout.unknown.empty()) {
    const bool hides = HidesRows(*layout.table, query.display);
    const std::string_view what = hides ? "not recorded for these rows: " : "not recorded: ";
    AppendWrapped(fmt::format("{}{}", what, NamesOf(layout.unknown)), 0, style, out);
  }
  const bool no_cells = layout.table->PrintedRows() == 0;  // a column without cells is not missed
  if (layout.dropped.empty() || no_cells) return;
  AppendWrapped("columns hidden: " + NamesOf(layout.dropped) + "; -columns selects", 0, style, out);
}

std::string FilterText(const Option& option, const Query& query) {
  constexpr size_t kMaxValue = 6;
  constexpr size_t kShown = 3;
  std::vector<std::string> pieces = SplitNames(option.print(query));
  const bool is_list = option.name != "where" && option.name != "unfold";
  if (!is_list || pieces.size() <= kMaxValue) return AsTyped(option, query);
  const size_t all = pieces.size();
  pieces.resize(kShown);
  return fmt::format("-{} {},... ({})", option.name, JoinNames(pieces), all);
}

std::string_view UnfoldWith(const Style& style) {
  return style.numbered ? "unfold" : "-fold false";
}

void AppendFolded(const Report& report, const Style& style, std::string* out) {
  const std::string text = FoldedText(report, UnfoldWith(style));
  if (!text.empty()) AppendWrapped(text, 0, style, out);
}

void AppendFilters(const Query& query, const Style& style, std::string* out) {
  const std::string filters = ActiveFilterTexts(query);
  if (filters.empty()) return;
  AppendWrapped("filters: " + PrintableText(filters, style.utf8), 0, style, out);
}

}  // namespace tfprof
