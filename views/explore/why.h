// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Reasons for the cost of `query.subject` (views/subject.h): a sentence with a number for each
// reason that the profile supports: share and rank among all operation types or siblings, runs and
// time per run, the most expensive part, variation between steps, size (bytes, shapes), FLOP/s,
// device, and for a node the time from its last input to its start. Rows: `reason` (an id),
// `number` (raw: us, bytes, a count, a fraction), `what` (the sentence). Errors: usage (no such
// subject, no such step), cancelled.
Result<Report> Why(const StorePtr& store, const Indexes& indexes, const Query& query,
                   Context& context);

// Declares its tables.
TableDefs WhyTables();

}  // namespace tfprof
