// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "views/classic/tree_walk.h"

namespace tfprof {

// Sorts rows in depth-first order: siblings by -order_by of their totals, ties stable; the result
// is still depth-first. Costs one pass if the rows are in that order already. `occurrence`: as for
// WalkTree.
Result<void> OrderSiblings(const NamedTree& tree, OrderBy order_by,
                           std::span<const int64_t> occurrence, ShownRows* shown, Context& context);

}  // namespace tfprof
