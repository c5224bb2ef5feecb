// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// A trace on one screen: what it was taken on, how long steps took and for what, what is worth
// doing. Tables: top_ops (the ten operations with most self time on devices), steps
// (views/steps/answer.h), advice (views/steps/advice.h).
Result<Report> Overview(const StorePtr& store, const Indexes& indexes, const Query& query,
                        Context& context);

// What it answers with.
TableDefs OverviewTables();

}  // namespace tfprof
