// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// How long each step took and what the devices did in it. Tables:
// - steps: one row per step: duration from the first start to the last end of its records, and
//   their times added up by what they measure.
// - devices: one row per step and device that has records in it: busy and idle time within the
//   device's own first start and last end (analysis/steps/lane_steps.h), and its longest gap.
// Properties step_mean_us, step_min_us, step_max_us over the steps that have placed
// records. Of a trace: StepsOfTrace.
Result<Report> Steps(const StorePtr& store, const Indexes& indexes, const Query& query,
                     Context& context);

// The same of a trace, whose steps are groups of events that have a marker
// (analysis/steps/times.h): a step is as long as its marker, and `devices` has a row per step and
// plane, for the events of the group wherever they lie (analysis/steps/trace_steps.h).
Result<Report> StepsOfTrace(const StorePtr& store, const Indexes& indexes, const Query& query,
                            Context& context);

// What it answers with.
TableDefs StepsTables();

}  // namespace tfprof
