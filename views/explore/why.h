// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// What makes one thing, `query.subject` (views/subject.h), expensive or not: a sentence per reason
// with its number, those that can be told from the profile: its share and rank among all operation
// types or its siblings, runs and time of a run, its costliest part, how steps differ, size (bytes,
// shapes), float operations a second, device, and of a node how long its inputs had been there
// before it ran. Rows: `reason` (an id), `number` (raw: us, bytes, a count, a fraction), `what`
// (the sentence). Errors: usage (no such thing, no such step), cancelled.
Result<Report> Why(const StorePtr& store, const Indexes& indexes, const Query& query,
                   Context& context);

// What it answers with.
TableDefs WhyTables();

}  // namespace tfprof
