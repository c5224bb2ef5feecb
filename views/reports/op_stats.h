// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Framework operations by self time, devices first. Tables: with_idle, which has rows for the time
// outside operations, and without_idle.
Result<Report> OpStats(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context);

// Declares its tables.
TableDefs OpStatsTables();

}  // namespace tfprof
