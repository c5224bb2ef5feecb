// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Findings of a profile. With AdviseOptions::original, the facts that the original's checkers print
// (views/advice/classic.h); else the findings of the checkers in views/advice/checker.h, those that
// -checker names or all.
Result<Report> Advise(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context);

// Declares its tables.
TableDefs AdviseTables();

}  // namespace tfprof
