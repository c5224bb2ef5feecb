// SPDX-License-Identifier: Apache-2.0
// -format table: aligned columns with units, for people. Behind the first measure stand its share
// of the whole, in a list the running percent from the top, and a bar. Below the rows: what -n cut
// off and the whole; then what `-` means, columns that did not fit, and the filters in force.
#include <fmt/format.h>

#include <algorithm>

#include "core/options.h"
#include "core/units.h"
#include "emitters/cells.h"
#include "emitters/formats.h"
#include "emitters/printable.h"
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

// A deep row keeps at least half of the column for its name.
size_t Indent(const Layout& layout, const LaidColumn& column, size_t row) {
  if (!column.is_name || !layout.table->tree) return 0;
  return std::min(size_t{2} * layout.table->depth[row], column.width / 2);
}

void AppendRow(const Layout& layout, const Style& style, size_t row, int64_t running,
               std::string* out) {
  Line line{out, style};
  std::string text;
  const int64_t value = layout.shared == nullptr ? kNoInt : layout.shared->Integer(row);
  for (const LaidColumn& column : layout.columns) {
    text.clear();
    if (column.kind == Kind::bar) {
      AppendBar(value, layout.whole, style.utf8, &text);
    } else {
      AppendHumanCell(layout, column, row, running, &text);
    }
    const size_t indent = Indent(layout, column, row);
    line.pending += indent;
    line.Cell(text, column.width - indent, column.right,
              column.kind == Kind::share ? HeatOf(layout, value) : std::string_view());
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

// A line below the rows: `label` in the first column, then what `value` says of each measure.
template <class Value>
void AppendSumLine(const Report& report, const Layout& layout, const Style& style,
                   std::string_view label, const Value& value, std::string* out) {
  Line line{out, style};
  std::string text;
  for (size_t i = 0; i < layout.columns.size(); ++i) {
    const LaidColumn& column = layout.columns[i];
    text = i == 0 ? std::string(label) : std::string();
    if (i > 0 && column.kind == Kind::cell && column.column->spec.role != ColumnRole::plain) {
      const int64_t whole = WholeOf(report, MeasureId(*column.column));
      if (whole != kNoInt)
        AppendHuman(value(*column.column, whole), column.column->spec.unit, &text);
    } else if (column.kind == Kind::share && layout.whole > 0) {
      AppendShare(value(*layout.shared, layout.whole), layout.whole, &text);
    }
    line.Cell(text, column.width, column.right, kDim);
  }
  line.End();
}

int64_t SumOf(const ReportColumn& column, size_t rows) {
  int64_t sum = 0;
  for (size_t row = 0; row < rows; ++row) {
    if (column.Integer(row) != kNoInt) sum = WrapAdd(sum, column.Integer(row));
  }
  return sum;
}

// A list adds up: rows, [others] and TOTAL. A tree's first row is its total already.
void AppendSums(const Report& report, const Layout& layout, const Style& style, std::string* out) {
  const Table& table = *layout.table;
  if (layout.shared == nullptr || table.tree) {
    if (table.omitted_rows > 0) *out += fmt::format("[{} others]\n", table.omitted_rows);
    return;
  }
  const auto others = [&](const ReportColumn& column, int64_t whole) {
    return WrapAdd(whole, -SumOf(column, table.rows));
  };
  // Rows that thresholds or names hide are no rows that -n cut off.
  const std::string label =
      table.omitted_rows > 0 ? fmt::format("[{} others]", table.omitted_rows) : "[not shown]";
  if (table.omitted_rows > 0 || others(*layout.shared, layout.whole) > 0) {
    AppendSumLine(report, layout, style, label, others, out);
  }
  const auto all = [](const ReportColumn&, int64_t whole) { return whole; };
  AppendSumLine(report, layout, style, "TOTAL", all, out);
}

// ---- below the table ---------------------------------------------------------------------------

std::string_view WhyAbsent(const ReportColumn& column) {
  if (!column.spec.id.starts_with("total_") && column.spec.role == ColumnRole::plain) {
    return "not known";
  }
  const std::string_view id = MeasureId(column);
  if (id == "accelerator_micros") return "no accelerator was traced";
  if (id == "params") return "no variable of known shape";
  if (id == "float_ops") return "nothing logged";
  return column.spec.unit == Unit::bytes ? "memory was not recorded" : "no run was recorded";
}

bool HasAbsent(const ReportColumn& column, size_t rows) {
  for (size_t row = 0; row < rows; ++row) {
    if (IsAbsent(column, row)) return true;
  }
  return false;
}

void AppendWhyAbsent(const Layout& layout, std::string* out) {
  std::string text;
  std::vector<std::string_view> told;
  for (const LaidColumn& column : layout.columns) {
    if (column.kind != Kind::cell || !HasAbsent(*column.column, layout.table->rows)) continue;
    const std::string_view measure = MeasureId(*column.column);
    if (std::find(told.begin(), told.end(), measure) != told.end()) continue;
    told.push_back(measure);
    text += fmt::format("{}{}: {}", text.empty() ? "- = absent; " : ", ", measure,
                        WhyAbsent(*column.column));
  }
  if (!text.empty()) *out += text + "\n";
}

// The options that narrow the answer, as they would be typed.
std::string FiltersInForce(const Query& query) {
  constexpr unsigned kNarrowing = kTreeOptions | kStepOption | kPlaceOptions;
  const Query defaults;
  std::string text;
  for (const Option& option : Options()) {
    if ((option.groups & kNarrowing) == 0 && option.name != "where") continue;
    const std::string value = option.print(query);
    if (value == option.print(defaults)) continue;
    text += fmt::format("{}-{} {}", text.empty() ? "" : "  ", option.name, value);
  }
  return text;
}

void AppendFooter(const Layout& layout, const Query& query, std::string* out) {
  AppendWhyAbsent(layout, out);
  if (!layout.dropped.empty()) {
    *out += fmt::format("no room for: {} (-columns picks)\n", fmt::join(layout.dropped, ", "));
  }
  const std::string filters = FiltersInForce(query);
  if (filters.empty()) return;
  *out += "filters: ";
  AppendPrintable(filters, layout.utf8, out);
  out->push_back('\n');
}

Result<void> EmitOne(const Report& report, const Table& table, const Query& query,
                     const Style& style, Sink& sink, Context& context) {
  TFPROF_ASSIGN(const Layout layout, LayOut(report, table, query, style, context));
  AppendHead(layout, style, &sink.buffer);
  int64_t running = 0;
  for (size_t row = 0; row < table.rows; ++row) {
    if (row % 4096 == 0) TFPROF_TRY(Poll(context));
    if (layout.shared != nullptr && layout.shared->Integer(row) != kNoInt) {
      running = WrapAdd(running, layout.shared->Integer(row));
    }
    AppendRow(layout, style, row, running, &sink.buffer);
    TFPROF_TRY(sink.MaybeFlush());
  }
  if (table.rows == 0) sink.Append("(no rows)\n");
  AppendSums(report, layout, style, &sink.buffer);
  AppendFooter(layout, &table == &report.tables.back() ? query : Query{}, &sink.buffer);
  return {};
}

// What a view tells besides its tables; the wholes are in the tables' last lines.
void AppendProperties(const Report& report, const Style& style, std::string* out) {
  for (const Property& property : report.properties) {
    const bool is_whole = property.id.starts_with("total_");
    if (is_whole || property.id == "step" || property.id == "steps") continue;
    AppendPrintable(property.id, style.utf8, out);
    out->append(": ");
    if (property.type == CellType::text) {
      AppendPrintable(property.text, style.utf8, out);
    } else if (property.type == CellType::real) {
      *out += fmt::format("{:.4g}", property.real);
    } else {
      AppendHuman(property.integer, property.unit, out);
    }
    out->push_back('\n');
  }
}

}  // namespace

Result<void> EmitTable(const Report& report, const Query& query, const Style& style, Sink& sink,
                       Context& context) {
  for (size_t i = 0; i < report.tables.size(); ++i) {
    const Table& table = report.tables[i];
    if (i > 0) sink.Append("\n");
    if (report.tables.size() > 1) {
      AppendPrintable(table.name, style.utf8, &sink.buffer);
      sink.Append("\n");
    }
    TFPROF_TRY(EmitOne(report, table, query, style, sink, context));
  }
  AppendProperties(report, style, &sink.buffer);
  return {};
}

}  // namespace tfprof
