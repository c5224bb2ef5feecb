// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Step durations and device activity in each step (analysis/steps/step_table.h). Tables:
// - steps: one row per step. With step records, a step lasts from the first start to the last end
//   of its records; in a trace, as long as its marker.
// - devices: one row per step and device, or plane of a trace, with records in it: busy and idle
//   time, and the longest gap.
// Properties step_mean_us, step_min_us, step_median_us, step_max_us over the steps with placed
// records.
Result<Report> Steps(const StorePtr& store, const Indexes& indexes, const Query& query,
                     Context& context);

// Declares its tables.
TableDefs StepsTables();

}  // namespace tfprof
