// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/query.h"
#include "core/report.h"
#include "views/indexes.h"

namespace tfprof {

// Framework operations by their own time, those of devices first. Tables: with_idle, where the time
// in no operation has rows of its own, and without_idle.
Result<Report> OpStats(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context);

}  // namespace tfprof
