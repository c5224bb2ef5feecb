// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/measure_scale.h"
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
  MeasureValues values{};  // totals; kNoInt: absent
};

// Rows of one view by the key that pairs them with rows of the other side.
struct SideRows {
  Report report;  // owns the texts
  std::map<std::string, SideRow, std::less<>> rows;
};

// How the values of a side become comparable with those of the other side.
struct SideScale {
  int64_t multiply = 1;      // sums over steps, so that both sides have the same divisor
  int64_t divide = 1;        // by the original's rules: sums over the steps of a trace
  int64_t times_per_us = 1;  // of the result; a multiple of the side's
};

// `view`: scope, graph, op or code. Ignores thresholds, since a row that is small on one side still
// exists there.
Result<SideRows> RowsOfSide(const Side& side, std::string_view view, const SideScale& scale,
                            Context& context);

// Returns the number of a trace's steps that -step selects; 0: none, or not a trace.
Result<int64_t> StepsToDivideBy(const Side& side, Context& context);

// Returns the executions of the trace's main program, the one that took most time, over all
// selected devices; 0: no program is known, or not a trace.
Result<int64_t> RunsToDivideBy(const Side& side, Context& context);

// Returns the mean duration of the selected steps; kNoInt: none has a time.
Result<int64_t> MeanStepPs(const Side& side, Context& context);

}  // namespace tfprof
