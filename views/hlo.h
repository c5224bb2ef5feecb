// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/query.h"
#include "core/report.h"
#include "views/indexes.h"

namespace tfprof {

// Instructions of compiled programs that ran on devices and CPUs, by their own time over all of
// them. Tables: hlo, and modules: the programs, by the time of their instructions.
Result<Report> Hlo(const StorePtr& store, const Indexes& indexes, const Query& query,
                   Context& context);

}  // namespace tfprof
