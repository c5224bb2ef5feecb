// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "views/classic/tree_walk.h"

namespace tfprof {

// Brings rows that are in depth-first order into the asked one: siblings by -order_by of their
// totals, equal ones as they stood; still depth-first. Costs one look at each row when they are in
// that order already. `occurrence`: as for WalkTree.
Result<void> OrderSiblings(const NamedTree& tree, OrderBy order_by,
                           std::span<const int64_t> occurrence, ShownRows* shown, Context& context);

}  // namespace tfprof
