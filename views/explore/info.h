// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Everything known about the profile itself. Tables:
// - sources: what was read.
// - devices: where time passed, what its records measure, and their summed time.
// - steps: their records, and the time from the first start to the last end.
// - contents: kinds of facts, how many there are, and how to record those that are absent.
// - notes: what the reading of the files met, skipped or left out; only when there is something.
Result<Report> ProfileInfo(const StorePtr& store, const Indexes& indexes, const Query& query,
                           Context& context);

// What it answers with.
TableDefs ProfileInfoTables();

}  // namespace tfprof
