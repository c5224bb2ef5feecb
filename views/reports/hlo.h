// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Instructions of compiled programs that ran on devices and CPUs, by total self time. Tables: hlo,
// and modules: the programs, by the time of their instructions.
Result<Report> Hlo(const StorePtr& store, const Indexes& indexes, const Query& query,
                   Context& context);

// Declares its tables.
TableDefs HloTables();

}  // namespace tfprof
