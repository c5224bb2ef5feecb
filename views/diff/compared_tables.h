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

// Adds a property for a column's total: total_X, base_total_X, change_total_X. The first table with
// a measure has it.
void AddTotalOf(const ReportColumn& column, Report* report);

// Adds the tables of the view: each row has its name, its status, and each measure before and
// after. Rows pair by their names; equal names by their order. Rows without a change are last. Adds
// the totals of both sides. Errors: those of the view.
Result<void> AddComparedTables(std::string_view view, const Side& before, const Side& after,
                               Divisors divisors, Report* report, Context& context);

}  // namespace tfprof
