// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/report/report.h"
#include "core/report/table_def.h"
#include "views/diff/judging.h"

// Diff of views whose rows are graph nodes, or what contains them: scope, graph, op, code.

namespace tfprof {

// Adds the table of the view, with rows of both sides, those without a change last, and the totals
// of both sides. Errors: those of the view.
Result<void> CompareNodes(const std::string& view, const Comparison& sides, Report* report,
                          Context& context);

// The declarations of this table and of the table of mean step durations.
const TableDef& NodeChangesDef();
const TableDef& StepChangesDef();

}  // namespace tfprof
