// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/query/query.h"
#include "core/report/report.h"
#include "emitters/emitter.h"

// Texts of a table for people that are too long for columns (ColumnSpec::below). With several such
// columns people read a card per row: a line of its short cells, if there are any, then its long
// ones, wrapped. The first of them is the sentence and has no label, others are "BELOW: cell"; of a
// BELOW that is `.` there is no label, and one of `$` stands whole on a line of its own, to be
// copied.

namespace tfprof {

// Whether the rows are printed as cards: not where -columns picks.
bool IsCards(const Table& table, const Display& display);

// What stands on the card of `row` below its short cells (`headed`: it has some), and an empty line
// behind.
void AppendCard(const Table& table, size_t row, bool headed, const Style& style, std::string* out);

// Below the rows of a table without cards: the first cell of the row tells what a line is about.
void AppendBelow(const Table& table, const Query& query, const Style& style, std::string* out);

}  // namespace tfprof
