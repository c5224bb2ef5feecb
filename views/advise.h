// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/query.h"
#include "core/report.h"
#include "views/indexes.h"

namespace tfprof {

// What stands out in a profile. With Query::original_advice the facts that the original's
// checkers print, see views/advise/classic.h; else the findings of the checkers of
// views/advise/checker.h, those that -checker names or all.
Result<Report> Advise(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context);

}  // namespace tfprof
