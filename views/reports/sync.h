// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Synchronization: `sync` has the waits by thread or stream and call, `lines` the total wait of
// each thread or stream. Calls are recognized by name (analysis/ops/sync_calls.h).
Result<Report> Sync(const StorePtr& store, const Indexes& indexes, const Query& query,
                    Context& context);

// Declares its tables.
TableDefs SyncTables();

}  // namespace tfprof
