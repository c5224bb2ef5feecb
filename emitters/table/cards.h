// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/query/query.h"
#include "core/report/report.h"
#include "emitters/emitter.h"

// Texts of a table that are too long for columns (LongText). A table with several such columns is
// printed as cards, one per row: a line of its short cells, if it has any, then its long cells,
// wrapped. The first long cell is the sentence and has no label.

namespace tfprof {

// True if the rows are printed as cards: not if -columns picks columns.
bool IsCards(const Table& table, const Display& display);

// Appends the long cells of the card of `row`, followed by an empty line. `headed`: the card has
// short cells.
void AppendCard(const Table& table, size_t row, bool headed, const Style& style, std::string* out);

// Appends long cells below the rows of a table without cards, each labeled with the first cell of
// its row.
void AppendBelow(const Table& table, const Query& query, const Style& style, std::string* out);

}  // namespace tfprof
