// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// The profile on one screen. tables[0] "operations": the ten most expensive operation types with
// the columns of the op view, by time or, if no run was recorded, by parameters. Properties: the
// files, devices, steps and their time (first start to last end, us), which data the profile has
// and lacks, and two suggested commands with names of this profile. Of the options it reads -step
// only.
Result<Report> Summary(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context);

// Declares its tables.
TableDefs SummaryTables();

}  // namespace tfprof
