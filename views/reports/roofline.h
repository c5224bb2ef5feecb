// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// How near operations come to what the device can do. Tables: roofline, the sum of all, of each
// program, then the operations by self time; devices, with their peaks.
Result<Report> Roofline(const StorePtr& store, const Indexes& indexes, const Query& query,
                        Context& context);

// What it answers with.
TableDefs RooflineTables();

}  // namespace tfprof
