// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/query/options.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "emitters/emitter.h"
#include "emitters/table/layout.h"

// What stands below a table for people: what `-` means, which columns are not shown and how to see
// them, the options that narrow the answer.

namespace tfprof {

void AppendFooter(const Layout& layout, const Report& report, const Query& query,
                  const Style& style, std::string* out);

// Whether the answer has rows that are not shown.
bool HidesRows(const Table& table, const Display& display);

// "folded 24 rows into 1: unfold", how often rows of its tables stand for several; else nothing.
std::string TellFolded(const Report& report, const Style& style);
void AppendFolded(const Report& report, const Style& style, std::string* out);

// An option as it would be typed, `-focus conv,grad`; a long list is cut: `-focus a,b,c,... (24)`.
std::string FilterText(const Option& option, const Query& query);

// A line with the options in force, as they would be typed; none: nothing.
void AppendFilters(const Query& query, const Style& style, std::string* out);

}  // namespace tfprof
