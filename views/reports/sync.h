// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Who waits for whom, and how long: `sync` by thread or stream and call, `lines` what each thread
// or stream spends waiting altogether. Calls are known by their names (analysis/ops/sync_calls.h).
Result<Report> Sync(const StorePtr& store, const Indexes& indexes, const Query& query,
                    Context& context);

// What it answers with.
TableDefs SyncTables();

}  // namespace tfprof
