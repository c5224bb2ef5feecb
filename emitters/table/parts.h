// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/context.h"
#include "core/query/options.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "emitters/emitter.h"
#include "emitters/table/layout.h"

namespace tfprof {

// Texts of a table that are too long for columns (LongText). A table with several such columns is
// printed as cards, one per row: a line of its short cells, if it has any, then its long cells,
// wrapped. The first long cell is the sentence and has no label.

// True if the rows are printed as cards: not if -columns picks columns.
bool IsCards(const Table& table, const Display& display);

// Appends the long cells of the card of `row`, followed by an empty line. `headed`: the card has
// short cells.
void AppendCard(const Table& table, size_t row, bool headed, const Style& style, std::string* out);

// Appends long cells below the rows of a table without cards, each labeled with the first cell of
// its row.
void AppendBelow(const Table& table, const Query& query, const Style& style, std::string* out);

// Text below a table: the meaning of `-`, the columns that are not shown and how to show them, the
// options that narrow the answer.

void AppendFooter(const Layout& layout, const Report& report, const Query& query,
                  const Style& style, std::string* out);

// True if the answer has rows that are not shown.
bool HidesRows(const Table& table, const Display& display);

// Returns the command or the option that unfolds rows.
std::string_view UnfoldWith(const Style& style);
void AppendFolded(const Report& report, const Style& style, std::string* out);

// Returns an option as it would be typed, `-focus conv,grad`; a long list is cut: `-focus a,b,c,...
// (24)`.
std::string FilterText(const Option& option, const Query& query);

// Appends a line with the options in force, as they would be typed; nothing if there are none.
void AppendFilters(const Query& query, const Style& style, std::string* out);

// Appends the pictures, each followed by an empty line, with no line wider than the terminal;
// consecutive curves form one block. Appends nothing if style.columns is 0 (no terminal) or less
// than kMinChartWidth.
constexpr int kMinChartWidth = 40;
void AppendCharts(const std::vector<Chart>& charts, const Style& style, std::string* out);

// Replacement cuts for cells that would look alike but differ. AppendCut cuts cells in the middle,
// where long kernel names often differ; these cells are cut around their differences instead.
using DistinctCuts = std::unordered_map<size_t, std::string>;  // by row

// Returns the cuts by column of `layout`. REQUIRES: column widths are set. Linear in the texts; no
// cuts if a table has more than kMaxRows rows. Error: cancelled.
Result<std::vector<DistinctCuts>> CutDistinct(const Layout& layout, Context& context);

}  // namespace tfprof
