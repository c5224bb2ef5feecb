// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/nodes/tree_totals.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/report/report.h"

// The common part of scope, graph and code: a tree of named rows is accounted (tree_totals.h), then
// walked according to the options (WalkTree). Neither recurses; both are linear in the visited
// rows.

namespace tfprof {

// Rules that differ between the views.
struct WalkRules {
  // graph: a row that is not accounted adds nothing, and its children move to the row above it.
  // Otherwise it stays, with its self values, if something below it is accounted.
  bool splice_unaccounted = false;
  // code: a trimmed or too deep row is removed with everything below it; thresholds of params and
  // float_ops test totals, min_occurrence tests nothing; account_displayed_op_only is ignored.
  bool code_view = false;
};

// The rows of the answer, in its order: depth-first, siblings by -order_by. Row 0 is the root,
// which is always shown.
struct ShownRows {
  std::vector<uint32_t> row;     // row of the tree
  std::vector<uint32_t> parent;  // index into these vectors; Table::kNoRow for the root
  std::vector<uint32_t> depth;   // number of shown ancestors
  Column<MeasureValues> totals;  // after account_displayed_op_only, if set
  Column<uint8_t> present;
};

// Applies start search, trimming, depth, thresholds, show and hide, account_displayed_op_only, and
// order. `occurrence`: by row, the key of -order_by occurrence; empty: by name.
Result<ShownRows> WalkTree(const NamedTree& tree, const OwnValues& own, const TreeTotals& totals,
                           std::span<const uint8_t> accounted, const WalkRules& rules,
                           const Query& query, std::span<const int64_t> occurrence,
                           Context& context);

}  // namespace tfprof
