// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/query.h"
#include "core/report.h"
#include "emitters/emitter.h"

// Texts of a table for people that are too long for columns (ColumnSpec::below). With several such
// columns people read a card per row: a line of its short cells, then its long ones, wrapped. The
// first of them is the sentence and has no label, others are "BELOW: cell", and one whose BELOW is
// `$` stands whole on a line of its own, to be copied.

namespace tfprof {

// Appends `text`, printable, broken at spaces where it is wider than the terminal; each line begins
// with `indent` spaces and ends in a line feed.
void AppendWrapped(std::string_view text, size_t indent, const Style& style, std::string* out);

// Whether the rows are printed as cards: not where -columns picks.
bool IsCards(const Table& table, const Query& query);

// What stands on the card of `row` below its short cells, and an empty line behind.
void AppendCard(const Table& table, size_t row, const Style& style, std::string* out);

// Below the rows of a table without cards: the first cell of the row tells what a line is about.
void AppendBelow(const Table& table, const Query& query, const Style& style, std::string* out);

}  // namespace tfprof
