// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/query/options.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "emitters/emitter.h"
#include "emitters/table/layout.h"

// Text below a table: the meaning of `-`, the columns that are not shown and how to show them, the
// options that narrow the answer.

namespace tfprof {

void AppendFooter(const Layout& layout, const Report& report, const Query& query,
                  const Style& style, std::string* out);

// True if the answer has rows that are not shown.
bool HidesRows(const Table& table, const Display& display);

// Returns "folded 24 rows into 1: unfold" if rows of its tables represent several; else an empty
// text.
std::string TellFolded(const Report& report, const Style& style);
void AppendFolded(const Report& report, const Style& style, std::string* out);

// Returns an option as it would be typed, `-focus conv,grad`; a long list is cut: `-focus a,b,c,...
// (24)`.
std::string FilterText(const Option& option, const Query& query);

// Appends a line with the options in force, as they would be typed; nothing if there are none.
void AppendFilters(const Query& query, const Style& style, std::string* out);

}  // namespace tfprof
