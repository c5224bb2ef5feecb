// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"

// One of the two profiles that diff compares.

namespace tfprof {

struct Side {
  StorePtr store;
  const Indexes& indexes;
  const Query& query;  // the whole query
};

struct SideRow {
  std::string_view name;
  MeasureValues values{};  // totals per step; kNoInt: absent
};

// Rows of one view by the key that pairs them with rows of the other side.
struct SideRows {
  Report report;  // owns the texts
  std::map<std::string, SideRow, std::less<>> rows;
};

// `view`: scope, graph, op or code. Ignores thresholds, since a row that is small on one side still
// exists there. `divide_by`: number of steps, if values are sums of all of them. Times are scaled
// to `times_per_us` (core/store/store.h), which is a multiple of the side's.
Result<SideRows> RowsOfSide(const Side& side, std::string_view view, int64_t divide_by,
                            int64_t times_per_us, Context& context);

// Returns the number of a trace's steps that -step selects; 0: none, or not a trace.
Result<int64_t> StepsToDivideBy(const Side& side, Context& context);

// Returns the mean duration of the selected steps; kNoInt: none has a time.
Result<int64_t> MeanStepPs(const Side& side, Context& context);

}  // namespace tfprof
