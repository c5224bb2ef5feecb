// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "analysis/nodes/accounting.h"
#include "core/base/context.h"
#include "core/query/query.h"

// A tree of named rows, and totals over it. Nothing recurses; everything is linear in the number of
// rows.

namespace tfprof {

// Rows are in depth-first order: row 0 is the root, a subtree is rows [row, end[row]), so the
// children of `row` are row + 1, end[row + 1], ... below end[row]. The order of siblings breaks
// ties when sorting.
struct NamedTree {
  std::span<const uint32_t> parent;  // that of the root is not read
  std::span<const uint32_t> end;
  // Returns the full name of a row; called only for visited rows.
  const void* names = nullptr;
  std::string_view (*name)(const void* names, uint32_t row) = nullptr;
  bool siblings_by_name = false;  // the children of one row ascend by the bytes of their names

  size_t rows() const { return parent.size(); }
  std::string_view Name(uint32_t row) const { return name(names, row); }
};

// Self values by row: those of `node[row]` in values and present; if `node` is empty, both are by
// row. A row without node is synthetic: it has `synthetic`, by the original's rules one definition,
// exactly nothing.
struct OwnValues {
  static constexpr uint32_t kAhead = 8;  // rows that are prefetched

  std::span<const MeasureValues> values;
  std::span<const uint8_t> present;
  std::span<const NodeId> node;
  const MeasureValues* synthetic = &kOneDefinition;

  static const MeasureValues kOneDefinition;
  static const MeasureValues kNothing;
  const MeasureValues& Values(uint32_t row) const {
    if (node.empty()) return values[row];
    return node[row].some() ? values[node[row].value] : *synthetic;
  }
  // Prefetches the values of a later row: nodes are in another order than rows.
  void Prefetch(uint32_t row) const {
    if (node.empty() || row >= node.size() || !node[row].some()) return;
    const auto* const at = reinterpret_cast<const char*>(&values[node[row].value]);
    __builtin_prefetch(at);
    __builtin_prefetch(at + sizeof(MeasureValues) - 1);
  }
  uint8_t Presence(uint32_t row) const {
    if (node.empty()) return present[row];
    return node[row].some() ? present[node[row].value] : uint8_t{0};
  }
};

// The self values of rows that are graph nodes or synthetic.
inline OwnValues OwnValuesOf(const NodeSums& sums, const Column<NodeId>& node, bool exact) {
  return {{sums.values.data(), sums.values.size()},
          {sums.present.data(), sums.present.size()},
          {node.data(), node.size()},
          exact ? &OwnValues::kNothing : &OwnValues::kOneDefinition};
}

// The totals of a tree over its accounted rows, for all rows or for some.
struct TreeTotals {
  Column<uint32_t> rows;  // the rows of the columns below, ascending; empty: all rows
  // True if the row is accounted or has an accounted row below it. Empty: all rows are kept. Values
  // of rows that are not kept are unset. The root is always kept.
  Column<uint8_t> kept;
  // Self values of the row plus those of all kept rows below it. The root adds nothing of its own.
  Column<MeasureValues> values;
  Column<uint8_t> present;  // Present bits, ORed
};

// Looks up rows of the totals. REQUIRES: rows ascend from call to call.
class TotalsCursor {
 public:
  explicit TotalsCursor(const TreeTotals& totals) : totals_(totals) {}

  static constexpr size_t kNone = ~size_t{0};
  // Returns the row's position in the columns; kNone: it is not kept, or not in `rows`.
  size_t Find(uint32_t row) {
    size_t at = row;
    const Column<uint32_t>& rows = totals_.rows;
    if (!rows.empty()) {
      while (next_ < rows.size() && rows[next_] < row) ++next_;
      if (next_ == rows.size() || rows[next_] != row) return kNone;
      at = next_;
    }
    return totals_.kept.empty() || totals_.kept[at] != 0 ? at : kNone;
  }

 private:
  const TreeTotals& totals_;
  size_t next_ = 0;
};

// Times saturate, all else wraps; see core/base/arith.h.
inline void AddValues(const MeasureValues& from, MeasureValues* to) {
  MeasureValues sums;
  for (size_t i = 0; i < kMeasures; ++i) sums[i] = WrapAdd((*to)[i], from[i]);
  for (const Measure time : {Measure::micros, Measure::accelerator_micros, Measure::cpu_micros}) {
    At(sums, time) = SaturatingAdd(At(*to, time), At(from, time));
  }
  *to = sums;
}

inline bool IsAccounted(std::span<const uint8_t> accounted, uint32_t row) {
  return accounted.empty() || accounted[row] != 0;
}

// `accounted`: by row, 0 or not; empty: every row but the root. The root's entry is not read.
// `splice_unaccounted`: a row that is not accounted adds nothing of its own. Otherwise it adds its
// values if a row below it is accounted.
Result<TreeTotals> SumTree(const NamedTree& tree, const OwnValues& own,
                           std::span<const uint8_t> accounted, bool splice_unaccounted,
                           Context& context);

// SumTree without splicing, only for rows down to `depth` (the root has depth 1): deeper rows are
// added up but not written. Writing is most of the cost in large trees.
Result<TreeTotals> SumTreeTo(int64_t depth, const NamedTree& tree, const OwnValues& own,
                             std::span<const uint8_t> accounted, Context& context);

}  // namespace tfprof
