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
  const Query& query;  // the whole question
};

struct SideRow {
  std::string_view name;
  MeasureValues values{};  // totals of a step; kNoInt: absent
};

// Rows of one question by what pairs them with those of the other side.
struct SideRows {
  Report report;  // keeps the texts
  std::map<std::string, SideRow, std::less<>> rows;
};

// `view`: scope, graph, op or code. Thresholds are not looked at: a row that is small on one side
// is there. `divide_by`: steps, where values are of all of them together. Times are counted
// `times_per_us` (core/store/time_unit.h), which is a multiple of what the side has.
Result<SideRows> RowsOfSide(const Side& side, std::string_view view, int64_t divide_by,
                            int64_t times_per_us, Context& context);

// The steps of a trace that -step asks for; 0: it has none, or is no trace.
Result<int64_t> StepsToDivideBy(const Side& side, Context& context);

// Mean duration of the steps asked for; kNoInt: none has a time.
Result<int64_t> MeanStepPs(const Side& side, Context& context);

}  // namespace tfprof
