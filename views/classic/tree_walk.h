// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/nodes/tree_totals.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/report/report.h"

// What scope, graph and code have in common: a tree of named rows is accounted (tree_totals.h),
// then walked as the options ask (WalkTree). Neither recurses; both are linear in the rows they
// look at.

namespace tfprof {

// How the views differ.
struct WalkRules {
  // graph: a row that is not accounted adds nothing and gives its children to the row above it.
  // Otherwise it stays, with its own values, where something below it is accounted.
  bool splice_unaccounted = false;
  // code: a trimmed or too deep row goes with everything below it; thresholds of params and
  // float_ops test totals, min_occurrence tests nothing; account_displayed_op_only is ignored.
  bool code_view = false;
};

// The rows of the answer, in the order of the answer: depth-first, siblings by -order_by. Row 0 is
// the root, always shown.
struct ShownRows {
  std::vector<uint32_t> row;     // of the tree
  std::vector<uint32_t> parent;  // index into these; Table::kNoRow for the root
  std::vector<uint32_t> depth;   // number of shown ancestors
  Column<MeasureValues> totals;  // after account_displayed_op_only, where that is asked
  Column<uint8_t> present;
};

// Start search, trimming, depth, thresholds, show and hide, account_displayed_op_only, order.
// `occurrence`: by row, what -order_by occurrence sorts by; empty: by name.
Result<ShownRows> WalkTree(const NamedTree& tree, const OwnValues& own, const TreeTotals& totals,
                           std::span<const uint8_t> accounted, const WalkRules& rules,
                           const Query& query, std::span<const int64_t> occurrence,
                           Context& context);

}  // namespace tfprof
