// SPDX-License-Identifier: Apache-2.0
#include "emitters/table_cards.h"

#include <fmt/format.h>

#include "emitters/cells.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

constexpr size_t kIndent = 4;  // of what stands on a card below its first line
constexpr size_t kNarrow = 2;  // of the same, where lines are shorter than kWide
constexpr int kWide = 60;
constexpr std::string_view kVerbatim = "$";

std::vector<const ReportColumn*> LongTexts(const Table& table) {
  std::vector<const ReportColumn*> found;
  for (const ReportColumn& column : table.columns) {
    if (!column.spec.below.empty() && column.spec.shown) found.push_back(&column);
  }
  return found;
}

}  // namespace

void AppendWrapped(std::string_view text, size_t indent, const Style& style, std::string* out) {
  const size_t columns = style.columns > 0 ? static_cast<size_t>(style.columns) : text.size();
  const size_t most = style.columns > 0 && columns > indent ? columns - indent : columns;
  while (text.size() > most) {
    size_t at = text.rfind(' ', most);
    if (at == std::string_view::npos || at == 0) at = text.find(' ', most);
    if (at == std::string_view::npos) break;
    out->append(indent, ' ').append(text.substr(0, text.find_last_not_of(' ', at) + 1));
    out->push_back('\n');
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ', at)));
  }
  out->append(indent, ' ').append(text).push_back('\n');
}

bool IsCards(const Table& table, const Query& query) {
  return LongTexts(table).size() > 1 && !ColumnsArePicked(table, query);
}

void AppendCard(const Table& table, size_t row, const Style& style, std::string* out) {
  const size_t indent = style.columns > 0 && style.columns < kWide ? kNarrow : kIndent;
  const Style whole{.columns = 0};
  bool sentence = true;
  for (const ReportColumn* column : LongTexts(table)) {
    if (column->texts[row].empty()) continue;
    const bool verbatim = column->spec.below == kVerbatim;
    std::string text = sentence || verbatim ? "" : column->spec.below + ": ";
    AppendPrintable(column->texts[row], style.utf8, &text);
    AppendWrapped(text, indent, verbatim ? whole : style, out);
    sentence = false;
  }
  out->push_back('\n');
}

void AppendBelow(const Table& table, const Query& query, const Style& style, std::string* out) {
  if (ColumnsArePicked(table, query)) return;
  const std::vector<const ReportColumn*> below = LongTexts(table);
  for (size_t row = 0; row < table.PrintedRows(); ++row) {
    for (const ReportColumn* column : below) {
      if (column->texts[row].empty()) continue;
      std::string raw = column->spec.below + " ", text;
      AppendPlain(table.columns[0], row, &raw);
      raw.append(": ").append(column->texts[row]);
      AppendPrintable(raw, style.utf8, &text);
      AppendWrapped(text, 0, style, out);
    }
  }
}

}  // namespace tfprof
