// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/context.h"
#include "core/query.h"
#include "core/report.h"
#include "views/accounting.h"

// What scope, graph and code have in common: a tree of named rows is accounted (SumTree), then
// walked as the options ask (WalkTree). Neither recurses; both are linear in the rows they look at.

namespace tfprof {

// The name of row 0 of every tree, as the original prints it.
constexpr std::string_view kRootName = "_TFProfRoot";

// Rows are in depth-first order: row 0 is the root, a subtree is rows [row, end[row]), so the
// children of `row` are row + 1, end[row + 1], ... as long as that is below end[row]. Siblings
// stand in the order that equal values keep when rows are sorted.
struct NamedTree {
  std::span<const uint32_t> parent;  // that of the root is not read
  std::span<const uint32_t> end;
  // The full name of a row; asked for rows that are looked at only.
  const void* names = nullptr;
  std::string_view (*name)(const void* names, uint32_t row) = nullptr;
  bool siblings_by_name = false;  // the children of one row ascend by the bytes of their names

  size_t rows() const { return parent.size(); }
  std::string_view Name(uint32_t row) const { return name(names, row); }
};

// Own values by row: of `node[row]` in values and present; with an empty `node` the two are by row
// themselves. A row without node is made up: one definition, nothing else.
struct OwnValues {
  std::span<const MeasureValues> values;
  std::span<const uint8_t> present;
  std::span<const NodeId> node;

  static const MeasureValues kMadeUp;
  const MeasureValues& Values(uint32_t row) const {
    if (node.empty()) return values[row];
    return node[row].some() ? values[node[row].value] : kMadeUp;
  }
  uint8_t Presence(uint32_t row) const {
    if (node.empty()) return present[row];
    return node[row].some() ? present[node[row].value] : uint8_t{0};
  }
};

// The own values of rows that are graph nodes or made up.
inline OwnValues OwnValuesOf(const NodeSums& sums, const Column<NodeId>& node) {
  return {{sums.values.data(), sums.values.size()},
          {sums.present.data(), sums.present.size()},
          {node.data(), node.size()}};
}

// What of a tree counts, and its sums.
struct TreeTotals {
  // By row: it is accounted or has an accounted row below. Empty: all rows are kept. Values of
  // rows that are not kept are not set. The root is always kept.
  Column<uint8_t> kept;
  // Own values of the row and of all kept rows below it. The root adds nothing of its own.
  Column<MeasureValues> values;
  Column<uint8_t> present;  // Present bits, ORed
};

// How the views differ.
struct WalkRules {
  // graph: a row that is not accounted adds nothing and gives its children to the row above it.
  // Otherwise it stays, with its own values, where something below it is accounted.
  bool splice_unaccounted = false;
  // code: a trimmed or too deep row goes with everything below it; thresholds of params and
  // float_ops test totals, min_occurrence tests nothing; account_displayed_op_only is ignored.
  bool code_view = false;
};

// `accounted`: by row, 0 or not; empty: every row but the root. That of the root is not read.
Result<TreeTotals> SumTree(const NamedTree& tree, const OwnValues& own,
                           std::span<const uint8_t> accounted, const WalkRules& rules,
                           Context& context);

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
