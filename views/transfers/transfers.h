// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Copies to, from and between devices: `transfers` by device, direction and kind of memory;
// `copies` single ones, by duration, descending. GB/s: bytes over the time of the copies with both
// known.
Result<Report> Transfers(const StorePtr& store, const Indexes& indexes, const Query& query,
                         Context& context);

// Declares its tables.
TableDefs TransfersTables();

}  // namespace tfprof
