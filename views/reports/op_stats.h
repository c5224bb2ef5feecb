// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Framework operations by their own time, those of devices first. Tables: with_idle, where the time
// in no operation has rows of its own, and without_idle.
Result<Report> OpStats(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context);

// What it answers with.
TableDefs OpStatsTables();

}  // namespace tfprof
