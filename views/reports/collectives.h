// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Collectives: `collectives` has a row per device and operation, `waits` a row per device with what
// it waited for others in those operations that can be matched between devices.
Result<Report> Collectives(const StorePtr& store, const Indexes& indexes, const Query& query,
                           Context& context);

// Declares its tables.
TableDefs CollectivesTables();

}  // namespace tfprof
