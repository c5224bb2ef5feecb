// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "analysis/durations.h"
#include "core/query/query.h"
#include "core/report/table_def.h"

// The columns median_us and p95_us, of single executions: only in answers that name them, since
// other answers need not keep the duration of each execution.

namespace tfprof {

constexpr ColumnDef MedianDef(std::string_view meaning, std::string_view title = "median") {
  return TimeDef("median_us", title, meaning).OnRequest();
}
constexpr ColumnDef P95Def(std::string_view meaning, std::string_view title = "p95") {
  return TimeDef("p95_us", title, meaning).OnRequest();
}

// Of tables whose rows are graph nodes.
inline constexpr ColumnDef kNodePercentiles[] = {
    MedianDef("Median of single executions of the row itself; absent where they cannot be "
              "separated.",
              "median run"),
    P95Def("95th percentile of single executions of the row itself; absent where they cannot be "
           "separated."),
};

// True if the answer has one of both columns.
bool HasPercentiles(const TableDef& table, const Display& display);

// Adds those that the query names.
void AddPercentiles(std::span<const RowDuration> durations, const Display& display, Table* table);

}  // namespace tfprof
