// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// A trace on one screen: its hardware, the duration and breakdown of its steps, and
// recommendations. Tables: top_ops (the ten operations with the largest self time on devices),
// steps (views/steps/answer.h), advice (views/advice/findings_table.cc).
Result<Report> Overview(const StorePtr& store, const Indexes& indexes, const Query& query,
                        Context& context);

// Declares its tables.
TableDefs OverviewTables();

}  // namespace tfprof
