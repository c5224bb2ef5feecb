// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Instructions of compiled programs that ran on devices and CPUs, by their own time over all of
// them. Tables: hlo, and modules: the programs, by the time of their instructions.
Result<Report> Hlo(const StorePtr& store, const Indexes& indexes, const Query& query,
                   Context& context);

// What it answers with.
TableDefs HloTables();

}  // namespace tfprof
