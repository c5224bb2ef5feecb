// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/tree_totals.h"

#include <vector>

namespace tfprof {
namespace {

constexpr MeasureValues SyntheticValues() {
  MeasureValues values{};
  values[static_cast<size_t>(Measure::definition_count)] = 1;
  return values;
}

// Adds to a sum that may still be unset.
struct Sums {
  TreeTotals* totals;
  void Add(size_t at, const MeasureValues& values, uint8_t present) const {
    uint8_t& is_set = totals->kept[at];
    if (is_set == 0) {
      is_set = 1;
      totals->values[at] = values;
      totals->present[at] = present;
      return;
    }
    AddValues(values, &totals->values[at]);
    totals->present[at] |= present;
  }
};

// Prefetches the values of the next rows: they are stored by node, so at random addresses.
void Prefetch(const OwnValues& own, uint32_t row) {
  if (own.node.empty() || !own.node[row].some()) return;
  const char* values = reinterpret_cast<const char*>(&own.values[own.node[row].value]);
  __builtin_prefetch(values);
  __builtin_prefetch(values + sizeof(MeasureValues) - 1);
}

// Adds the rows [first, end) below row `at` of the totals to it. They are whole subtrees.
void AddBelow(uint32_t first, uint32_t end, size_t at, const NamedTree& tree, const OwnValues& own,
              std::span<const uint8_t> accounted, const Sums& sums) {
  constexpr uint32_t kAhead = 12;
  uint32_t next_accounted = end;  // the first one after the row
  for (uint32_t row = end; row-- > first;) {
    if (row >= first + kAhead && IsAccounted(accounted, row - kAhead)) Prefetch(own, row - kAhead);
    const bool counts = IsAccounted(accounted, row);
    if (!counts && next_accounted >= tree.end[row]) continue;
    if (counts) next_accounted = row;
    sums.Add(at, own.Values(row), own.Presence(row));
  }
}

// A row whose children follow.
struct OpenSum {
  uint32_t row;
  size_t at;  // position in the totals
};

struct ShallowSum {
  const NamedTree& tree;
  const OwnValues& own;
  std::span<const uint8_t> accounted;
  TreeTotals totals = {};
  std::vector<OpenSum> open = {};

  void Push(uint32_t row) {
    open.push_back({row, totals.rows.size()});
    totals.rows.Push(row);
    totals.kept.Push(0);
    totals.values.Push({});
    totals.present.Push(0);
  }

  // Finishes a row: everything below it has been added.
  void Close() {
    const Sums sums{&totals};
    const OpenSum last = open.back();
    open.pop_back();
    if (!IsAccounted(accounted, last.row) && totals.kept[last.at] == 0) return;
    sums.Add(last.at, own.Values(last.row), own.Presence(last.row));
    const MeasureValues values = totals.values[last.at];
    sums.Add(open.back().at, values, totals.present[last.at]);
  }
};

}  // namespace

const MeasureValues OwnValues::kOneDefinition = SyntheticValues();
const MeasureValues OwnValues::kNothing{};

Result<TreeTotals> SumTree(const NamedTree& tree, const OwnValues& own,
                           std::span<const uint8_t> accounted, bool splice_unaccounted,
                           Context& context) {
  TreeTotals totals;
  totals.kept.Resize(tree.rows());
  totals.values.Extend(tree.rows());
  totals.present.Extend(tree.rows());
  const Sums sums{&totals};
  // A parent precedes its children, so all of them have been added when it is visited.
  for (auto row = static_cast<uint32_t>(tree.rows() - 1); row > 0; --row) {
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const bool counts = IsAccounted(accounted, row);
    if (!counts && totals.kept[row] == 0) continue;
    if (counts || !splice_unaccounted) sums.Add(row, own.Values(row), own.Presence(row));
    sums.Add(tree.parent[row], totals.values[row], totals.present[row]);
  }
  if (totals.kept[0] == 0) sums.Add(0, MeasureValues{}, 0);
  if (accounted.empty()) totals.kept.Clear();
  return totals;
}

Result<TreeTotals> SumTreeTo(int64_t depth, const NamedTree& tree, const OwnValues& own,
                             std::span<const uint8_t> accounted, Context& context) {
  ShallowSum sum{tree, own, accounted};
  sum.Push(0);
  const uint32_t end = tree.end[0];
  for (uint32_t row = 1; row < end;) {
    if (sum.totals.rows.size() % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    while (row >= tree.end[sum.open.back().row]) sum.Close();
    if (static_cast<int64_t>(sum.open.size()) < depth) {
      sum.Push(row++);
      continue;
    }
    const OpenSum& deepest = sum.open.back();
    const uint32_t after = tree.end[deepest.row];
    AddBelow(row, after, deepest.at, tree, own, accounted, {&sum.totals});
    row = after;
  }
  while (sum.open.size() > 1) sum.Close();
  sum.totals.kept[0] = 1;
  return std::move(sum.totals);
}

}  // namespace tfprof
