// SPDX-License-Identifier: Apache-2.0
// -format table: aligned columns with units, for people. Behind the first measure stand its share
// of the whole, in a list the running percent from the top, and a bar. Below the rows: what -n cut
// off and the whole; then what `-` means, columns that did not fit, the filters in force, and what
// the reading of the profile has to note.
#include <fmt/format.h>
#include <cmath>

#include <algorithm>

#include "core/options.h"
#include "core/units.h"
#include "emitters/cells.h"
#include "emitters/formats.h"
#include "emitters/notes.h"
#include "emitters/pictures.h"
#include "emitters/printable.h"
#include "emitters/table_cards.h"
#include "emitters/table_layout.h"

namespace tfprof {
namespace {

using Kind = LaidColumn::Kind;

constexpr std::string_view kBold = "\x1b[1m", kDim = "\x1b[2m", kRed = "\x1b[31m",
                           kYellow = "\x1b[33m", kPlain = "\x1b[0m";

// Text of one line, without trailing spaces.
struct Line {
  std::string* out;
  const Style& style;
  size_t pending = 0;  // spaces that are written when something follows

  void Cell(std::string_view text, size_t width, bool right, std::string_view color = {}) {
    std::string cut;
    const size_t used = AppendCut(text, width, style.utf8, &cut);
    const size_t fill = width - used;
    if (right) pending += fill;
    if (!cut.empty()) {
      out->append(pending, ' ');
      pending = 0;
      const bool paint = style.color && !color.empty();
      if (paint) out->append(color);
      out->append(cut);
      if (paint) out->append(kPlain);
    }
    pending += 2 + (right ? 0 : fill);
  }
  void End() { out->push_back('\n'); }
};

// `eighths` of a cell, drawn from the left.
void AppendBar(int64_t value, int64_t whole, bool utf8, std::string* out) {
  if (value <= 0 || whole <= 0) return;
  const double share = std::min(1.0, static_cast<double>(value) / static_cast<double>(whole));
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
  if (layout.whole <= 0 || value == kNoInt) return {};
  const double share = static_cast<double>(value) / static_cast<double>(layout.whole);
  return share >= 0.25 ? kRed : share >= 0.1 ? kYellow : std::string_view();
}

// A deep row keeps at least half of the column for `text`, its name, or what the name takes.
size_t Indent(const Layout& layout, const LaidColumn& column, size_t row, std::string_view text) {
  if (!column.is_name || !layout.table->tree) return 0;
  const size_t indent = size_t{2} * IndentLevels(*layout.table, row);
  const size_t half = column.width / 2;
  if (indent <= half) return indent;
  return std::min(indent, std::max(half, column.width - std::min(column.width, CellWidth(text))));
}

void AppendRow(const Layout& layout, const Style& style, size_t row, int64_t running, bool card,
               std::string* out) {
  Line line{out, style};
  std::string text;
  const int64_t value = layout.shared == nullptr ? kNoInt : layout.shared->Integer(row);
  const std::string_view plain = card ? kBold : std::string_view();
  for (const LaidColumn& column : layout.columns) {
    text.clear();
    if (column.kind == Kind::bar) {
      AppendBar(value, layout.whole, style.utf8, &text);
    } else {
      AppendHumanCell(layout, column, row, running, &text);
    }
    const size_t indent = Indent(layout, column, row, text);
    const std::string_view color = column.kind == Kind::share ? HeatOf(layout, value) : plain;
    line.pending += indent;
    line.Cell(text, column.width - indent, column.right, color);
  }
  line.End();
}

void AppendHead(const Layout& layout, const Style& style, std::string* out) {
  Line line{out, style};
  for (const LaidColumn& column : layout.columns) {
    line.Cell(column.head, column.width, column.right, kBold);
  }
  line.End();
}

// What -n cut off and the whole.
void AppendSums(const Layout& layout, const Style& style, std::string* out) {
  if (layout.columns.empty()) return;
  for (size_t i = 0; i < layout.columns[0].sums.size(); ++i) {
    Line line{out, style};
    for (const LaidColumn& column : layout.columns) {
      line.Cell(column.sums[i], column.width, column.right, kDim);
    }
    line.End();
  }
}

// ---- below the table ---------------------------------------------------------------------------

std::string_view WhyAbsent(const ReportColumn& column, const Report& report) {
  if (!column.spec.id.starts_with("total_") && column.spec.role == ColumnRole::plain) {
    return "not known";
  }
  const std::string_view id = MeasureId(column);
  if (WholeOf(report, id) != kNoInt) return "not recorded for these rows";
  if (id == "accelerator_micros") return "no accelerator was traced";
  if (id == "params") return "no variable of known shape";
  if (id == "float_ops") return "nothing logged";
  if (column.spec.unit == Unit::bytes) return "memory was not recorded";
  return report.store->EventCount() == 0 ? "no run was recorded" : "the run names no graph nodes";
}

bool HasAbsent(const ReportColumn& column, size_t rows) {
  for (size_t row = 0; row < rows; ++row) {
    if (IsAbsent(column, row)) return true;
  }
  return false;
}

void AppendWhyAbsent(const Layout& layout, const Report& report, const Style& style,
                     std::string* out) {
  std::string text;
  std::vector<std::string_view> told;
  for (const LaidColumn& column : layout.columns) {
    if (column.kind != Kind::cell || !HasAbsent(*column.column, layout.table->rows)) continue;
    const std::string_view measure = MeasureId(*column.column);
    if (std::find(told.begin(), told.end(), measure) != told.end()) continue;
    told.push_back(measure);
    text += fmt::format("{}{}: {}", text.empty() ? "- = absent; " : ", ", measure,
                        WhyAbsent(*column.column, report));
  }
  if (!text.empty()) AppendWrapped(text, 0, style, out);
}

// The options that narrow the answer, as they would be typed.
std::string FiltersInForce(const Query& query) {
  constexpr unsigned kNarrowing = kTreeOptions | kStepOption | kPlaceOptions | kNameOptions;
  const Query defaults;
  std::string text;
  for (const Option& option : Options()) {
    if ((option.groups & kNarrowing) == 0 && option.name != "where") continue;
    const std::string value = option.print(query);
    const bool any_depth = option.name == "max_depth" && query.max_depth == Query::kAnyDepth;
    if (any_depth || value == option.print(defaults)) continue;
    text += fmt::format("{}-{} {}", text.empty() ? "" : "  ", option.name, value);
  }
  return text;
}

void AppendFooter(const Layout& layout, const Report& report, const Query& query,
                  const Style& style, std::string* out) {
  AppendWhyAbsent(layout, report, style, out);
  if (!layout.dropped.empty()) {
    const std::string dropped = fmt::format("{}", fmt::join(layout.dropped, ", "));
    AppendWrapped("no room for: " + dropped + " (-columns picks)", 0, style, out);
  }
  const std::string filters = FiltersInForce(query);
  if (filters.empty()) return;
  std::string text = "filters: ";
  AppendPrintable(filters, style.utf8, &text);
  AppendWrapped(text, 0, style, out);
}

// Where all rows are shown, that there is none is an answer; else options may hide them.
std::string Nothing(const Table& table, const Query& query) {
  const bool hidden = table.omitted_rows > 0 || !query.where.empty();
  return IsCards(table, query) && !hidden ? "no " + table.name : "(no rows)";
}

Result<void> EmitOne(const Report& report, const Table& table, const Query& query,
                     const Style& style, Sink& sink, Context& context) {
  TFPROF_ASSIGN(const Layout layout, LayOut(report, table, query, style, context));
  const bool cards = IsCards(table, query);
  if (!cards || table.PrintedRows() > 0) AppendHead(layout, style, &sink.buffer);
  int64_t running = 0;
  for (size_t row = 0; row < table.PrintedRows(); ++row) {
    if (row % 4096 == 0) TFPROF_TRY(Poll(context));
    if (layout.shared != nullptr && layout.shared->Integer(row) != kNoInt) {
      running = WrapAdd(running, layout.shared->Integer(row));
    }
    AppendRow(layout, style, row, running, cards, &sink.buffer);
    if (cards) AppendCard(table, row, style, &sink.buffer);
    TFPROF_TRY(sink.MaybeFlush());
  }
  if (table.PrintedRows() == 0) sink.Append(fmt::format("{}\n", Nothing(table, query)));
  AppendSums(layout, style, &sink.buffer);
  if (!cards) AppendBelow(table, query, style, &sink.buffer);
  AppendFooter(layout, report, &table == &report.tables.back() ? query : Query{}, style,
               &sink.buffer);
  return {};
}

void AppendNotes(const Report& report, const Style& style, std::string* out) {
  for (const std::string& note : NotesBelow(report)) {
    std::string text;
    AppendPrintable(note, style.utf8, &text);
    AppendWrapped(text, 0, style, out);
  }
}

bool IsAbsent(const Property& property) {
  if (property.type == CellType::text) return false;
  if (property.type == CellType::texts) return property.texts.empty();
  return property.type == CellType::real ? std::isnan(property.real) : property.integer == kNoInt;
}

// What a view tells besides its tables, if it is there: facts stand before them, `next` commands
// (next_1, ...) after. The wholes are in the tables' last lines.
void AppendProperties(const Report& report, bool next, const Style& style, std::string* out) {
  for (const Property& property : report.properties) {
    const bool is_whole = property.id.starts_with("total_");
    if (is_whole || property.id == "step" || property.id == "steps") continue;
    if (property.id.starts_with("next") != next) continue;
    if (IsAbsent(property)) continue;
    AppendPrintable(property.id, style.utf8, out);
    out->append(": ");
    if (property.type == CellType::text) {
      AppendPrintable(property.text, style.utf8, out);
    } else if (property.type == CellType::texts) {
      AppendPrintable(fmt::format("{}", fmt::join(property.texts, "; ")), style.utf8, out);
    } else if (property.type == CellType::boolean) {
      out->append(property.integer != 0 ? "yes" : "no");
    } else if (property.type == CellType::real) {
      AppendHumanReal(property.real, property.unit, out);
    } else {
      AppendHuman(property.integer, property.unit, out);
    }
    out->push_back('\n');
  }
}

// Of all rows: where some are picked they would show something else.
void AppendPictures(const Report& report, const Query& query, const Style& style,
                    std::string* out) {
  if (!query.where.empty() || !query.columns.empty()) return;
  for (const Picture& picture : report.pictures) {
    std::string drawn;
    AppendPicture(picture, style, &drawn);
    if (drawn.empty()) continue;
    if (!out->empty()) out->push_back('\n');
    drawn.pop_back();  // an empty line follows anyway
    out->append(drawn);
  }
}

}  // namespace

Result<void> EmitTable(const Report& report, const Query& query, const Style& style, Sink& sink,
                       Context& context) {
  const size_t begin = sink.buffer.size();
  AppendProperties(report, false, style, &sink.buffer);
  AppendPictures(report, query, style, &sink.buffer);
  for (size_t i = 0; i < report.tables.size(); ++i) {
    const Table& table = report.tables[i];
    if (i > 0 || sink.buffer.size() > begin) sink.Append("\n");
    if (report.tables.size() > 1) {
      AppendPrintable(table.name, style.utf8, &sink.buffer);
      sink.Append("\n");
    }
    TFPROF_TRY(EmitOne(report, table, query, style, sink, context));
  }
  AppendNotes(report, style, &sink.buffer);
  AppendProperties(report, true, style, &sink.buffer);
  return {};
}

}  // namespace tfprof
