// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Busy time of devices over the capture: `utilization` has a row per device and bucket of time,
// `devices` a row per device.
Result<Report> Utilization(const StorePtr& store, const Indexes& indexes, const Query& query,
                           Context& context);

// Declares its tables.
TableDefs UtilizationTables();

}  // namespace tfprof
