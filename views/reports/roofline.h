// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Roofline analysis: how close operations come to the peaks of the device. Tables: roofline, with
// the total, each program, then the operations by self time; devices, with their peaks.
Result<Report> Roofline(const StorePtr& store, const Indexes& indexes, const Query& query,
                        Context& context);

// Declares its tables.
TableDefs RooflineTables();

}  // namespace tfprof
