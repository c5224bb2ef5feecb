// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// The profile on one screen. tables[0] "operations": the ten most expensive operation types with
// the columns of the op view; by time or, where no run was recorded, by parameters. Properties:
// what was read, devices, steps and their time (first start to last end, us), what the profile has
// and what it lacks, and two commands to go on with, about names of this profile. Of the options
// it reads -step alone.
Result<Report> Summary(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context);

// What it answers with.
TableDefs SummaryTables();

}  // namespace tfprof
