// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/cards.h"

#include <fmt/format.h>

#include "emitters/cells.h"
#include "emitters/printable.h"
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
      std::string raw = labeled ? column->spec.label + " " : "", text;
      AppendPlain(table.columns[0], row, false, &raw);
      raw.append(": ").append(column->texts[row]);
      AppendPrintable(raw, style.utf8, &text);
      AppendWrapped(text, 0, style, out);
    }
  }
}

}  // namespace tfprof
