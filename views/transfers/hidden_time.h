// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/context.h"
#include "views/transfers/copies.h"

namespace tfprof {

// Sets Copy::hidden_ps: the time of each copy in which at least one kernel runs on these lanes. A
// kernel is what `work` calls so. Costs one pass over the events of the lanes in order of time.
// Error: cancelled.
Result<void> MeasureHidden(const Store& store, std::span<const LaneId> lanes,
                           const DetailColumn& work, std::vector<Copy>* copies, Context& context);

}  // namespace tfprof
