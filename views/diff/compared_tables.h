// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/report/report.h"
#include "views/diff/side.h"

// Diff of views whose rows are not graph nodes: kernels, instructions, steps, copies, memory.

namespace tfprof {

// The names of these views.
std::vector<std::string_view> ComparedTableViews();
bool ComparesTables(std::string_view view);

// Sums of a side are divided by this number: its steps, else the executions of its main program.
struct Divisors {
  int64_t before = 1;
  int64_t after = 1;
};

// Adds the tables of the view, with a row for each that differs: its name, new, gone or changed,
// and each measure before and after. Rows pair by their names; equal names by their order. Adds the
// totals of both sides, and the number of rows without a change. Errors: those of the view.
Result<void> AddComparedTables(std::string_view view, const Side& before, const Side& after,
                               Divisors divisors, Report* report, Context& context);

}  // namespace tfprof
