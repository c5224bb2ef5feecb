// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// The steps that the hosts of a run have in common, host by host. Table pod: one row per step and
// host, with the parts of the step and the largest part. Property device_type.
Result<Report> Pod(const StorePtr& store, const Indexes& indexes, const Query& query,
                   Context& context);

// Declares its tables.
TableDefs PodTables();

}  // namespace tfprof
