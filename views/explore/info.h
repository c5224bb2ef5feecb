// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Facts of the profile itself. Tables:
// - sources: the files that were read.
// - devices: where time passed, what their records measure, and their total time.
// - steps: their records, and the time from the first start to the last end.
// - contents: kinds of data, their counts, and how to record the absent ones.
// - notes: what the loader met, skipped or left out; only if there are notes.
Result<Report> ProfileInfo(const StorePtr& store, const Indexes& indexes, const Query& query,
                           Context& context);

// Declares its tables.
TableDefs ProfileInfoTables();

}  // namespace tfprof
