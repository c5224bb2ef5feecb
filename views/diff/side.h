// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/steps/step_table.h"
#include "core/base/context.h"
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
  MeasureValues total{};  // of a tree: its root; of a list: the sum of its rows; kNoInt: absent
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

// Sums over a trace are divided by its selected steps; if neither side marks steps, by the
// executions of its main program, the one that took most time, over all selected devices; if one
// side lacks those, by the steps that are inferred; 1: by nothing, since none of these is known or
// the profile is not a trace.
struct Divisors {
  int64_t before = 1;
  int64_t after = 1;
  bool are_runs = false;
  std::string text = {};  // "10 of the base, 12 of this profile"; empty: nothing is divided
};

Result<Divisors> FindDivisors(const Side& before, const Side& after, Context& context);

// True if both sides have times, of another resolution: a saved profile keeps whole us.
bool ResolveDifferently(const Store& a, const Store& b);

// Returns the query of this profile: with -with_step, that of -step is for the base.
Query QueryOfThis(const Query& query);

// Returns the selected steps, in the resolution that both sides have; those of a trace with their
// wall time, but by the original accounting.
Result<std::vector<StepRow>> StepsOfSide(const Side& side, Context& context);

}  // namespace tfprof
