// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// What was copied to, from and between devices: `transfers` by device, direction and kind of
// memory, `copies` each of them, the longest first. GB/s: bytes over the time of the copies that
// tell both.
Result<Report> Transfers(const StorePtr& store, const Indexes& indexes, const Query& query,
                         Context& context);

// What it answers with.
TableDefs TransfersTables();

}  // namespace tfprof
