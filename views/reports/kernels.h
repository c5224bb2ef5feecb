// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// GPU kernels: one row per machine, kernel, launch parameters and operation, by time, descending.
// Properties: launches, total_duration_us.
Result<Report> Kernels(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context);

// Declares its tables.
TableDefs KernelsTables();

}  // namespace tfprof
