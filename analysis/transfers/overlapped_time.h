// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "analysis/transfers/copies.h"
#include "core/base/context.h"

namespace tfprof {

// Returns true if an event computes; called for placed rows.
using IsKernel = std::function<bool(uint32_t row)>;

// Sets Copy::kernels_before_ps and kernels_until_ps of each copy: the time in which at least one
// kernel runs on these lanes. Cost: one pass over the events of the lanes in order of time. Error:
// cancelled.
Result<void> MeasureOverlapped(const Store& store, std::span<const LaneId> lanes,
                               const IsKernel& is_kernel, std::vector<Copy>* copies,
                               Context& context);

}  // namespace tfprof
