// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/query.h"
#include "core/report.h"
#include "views/indexes.h"

namespace tfprof {

// What allocators gave out: `allocators` with the peak of each, `active_allocations` what held
// memory at those peaks (views/memory/peak.h), `timeline` every allocation and free. -host picks
// machines, -device allocators by name, -step the events of a step, and the peak among them.
Result<Report> Memory(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context);

}  // namespace tfprof
