// SPDX-License-Identifier: Apache-2.0
#include "views/classic/tree_walk.h"

#include <algorithm>

#include "core/base/sorting.h"

namespace tfprof {
namespace {

// An ancestor on the walk's stack.
struct Above {
  uint32_t end = 0;    // end of its subtree
  uint32_t shown = 0;  // the nearest shown row, itself included: index into ShownRows
  int64_t depth = 1;   // as the options count: the root is 1, hidden rows count too
  bool started = false;
};

struct Walk {
  const NamedTree& tree;
  const OwnValues& own;
  const TreeTotals& totals;
  std::span<const uint8_t> accounted;
  const WalkRules& rules;
  const Query& query;
  TotalsCursor cursor;
  ShownRows shown;
};

// `at`: index of the row in the totals.
bool ReachesThresholds(const Walk& walk, uint32_t row, size_t at) {
  const TreeFilter& tree = walk.query.tree;
  const MeasureValues& total = walk.totals.values[at];
  if (At(total, Measure::bytes) < tree.min_bytes ||
      At(total, Measure::peak_bytes) < tree.min_peak_bytes ||
      At(total, Measure::residual_bytes) < tree.min_residual_bytes ||
      At(total, Measure::output_bytes) < tree.min_output_bytes ||
      At(total, Measure::micros) < tree.min_micros ||
      At(total, Measure::accelerator_micros) < tree.min_accelerator_micros ||
      At(total, Measure::cpu_micros) < tree.min_cpu_micros) {
    return false;
  }
  if (walk.query.place.exact) {
    return At(total, Measure::params) >= tree.min_params &&
           At(total, Measure::float_ops) >= tree.min_float_ops &&
           At(total, Measure::run_count) >= tree.min_occurrence;
  }
  const MeasureValues& tested = walk.rules.code_view ? total : walk.own.Values(row);
  return At(tested, Measure::params) >= tree.min_params &&
         At(tested, Measure::float_ops) >= tree.min_float_ops &&
         (walk.rules.code_view || At(tested, Measure::run_count) >= tree.min_occurrence);
}

bool Shows(const Walk& walk, uint32_t row, size_t at) {
  if (!ReachesThresholds(walk, row, at)) return false;
  const TreeFilter& tree = walk.query.tree;
  if (tree.show_name_regexes.MatchesAll() && tree.hide_name_regexes.empty()) return true;
  const std::string_view name = walk.tree.Name(row);
  return tree.show_name_regexes.Matches(name) && !tree.hide_name_regexes.Matches(name);
}

bool Trims(const Walk& walk, uint32_t row) {
  const PatternList& trim = walk.query.tree.trim_name_regexes;
  return !trim.empty() && trim.Matches(walk.tree.Name(row));
}

uint32_t Push(Walk& walk, uint32_t row, uint32_t parent) {
  ShownRows& shown = walk.shown;
  shown.row.push_back(row);
  shown.parent.push_back(parent);
  shown.depth.push_back(parent == Table::kNoRow ? 0 : shown.depth[parent] + 1);
  return static_cast<uint32_t>(shown.row.size() - 1);
}

// Visits one row and returns the next one; the stack holds its ancestors.
uint32_t Visit(Walk& walk, uint32_t row, std::vector<Above>& stack) {
  const uint32_t end = walk.tree.end[row];
  const Above above = stack.back();
  const size_t at = walk.cursor.Find(row);
  if (at == TotalsCursor::kNone) return end;
  if (walk.rules.splice_unaccounted && !IsAccounted(walk.accounted, row)) return row + 1;
  if (!above.started && !walk.query.tree.start_name_regexes.Matches(walk.tree.Name(row))) {
    return row + 1;  // still searching: its children become children of the root
  }
  const int64_t depth = above.depth + 1;
  if (depth > walk.query.tree.max_depth) return end;
  const bool trims = Trims(walk, row);
  if (trims && walk.rules.code_view) return end;
  const uint32_t nearest = Shows(walk, row, at) ? Push(walk, row, above.shown) : above.shown;
  if (trims) return end;
  if (end > row + 1) stack.push_back({end, nearest, depth, true});
  return row + 1;
}

Result<void> VisitAll(Walk& walk, Context& context) {
  Push(walk, 0, Table::kNoRow);
  if (walk.query.tree.max_depth < 1 || Trims(walk, 0)) return {};
  std::vector<Above> stack = {
      {walk.tree.end[0], 0, 1, walk.query.tree.start_name_regexes.MatchesAll()}};
  uint32_t row = 1;
  for (size_t looked_at = 0; row < walk.tree.end[0]; ++looked_at) {
    if (looked_at % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    while (row >= stack.back().end) stack.pop_back();
    walk.own.Prefetch(row + OwnValues::kAhead);
    row = Visit(walk, row, stack);
  }
  return {};
}

// Fills totals of shown rows: those of the tree or, with account_displayed_op_only, self values
// plus those of the shown rows below. Then the root counts itself as a definition.
void FillTotals(Walk& walk) {
  ShownRows& shown = walk.shown;
  const size_t rows = shown.row.size();
  shown.totals.Extend(rows);
  shown.present.Extend(rows);
  TotalsCursor cursor(walk.totals);
  const bool redo = walk.query.tree.account_displayed_op_only && !walk.rules.code_view;
  for (size_t i = 0; i < rows; ++i) {
    const uint32_t row = shown.row[i];
    const size_t at = cursor.Find(row);
    shown.totals[i] = redo ? walk.own.Values(row) : walk.totals.values[at];
    shown.present[i] = redo ? walk.own.Presence(row) : walk.totals.present[at];
  }
  if (!redo) return;
  for (size_t i = rows - 1; i > 0; --i) {
    AddValues(shown.totals[i], &shown.totals[shown.parent[i]]);
    shown.present[shown.parent[i]] |= shown.present[i];
  }
}

// ---- order -------------------------------------------------------------------------------------

// Order of two shown sibling rows.
struct SiblingLess {
  const NamedTree& tree;
  const ShownRows& shown;
  // By shown row, descending; empty: by name. Not owned: algorithms copy their comparators.
  std::span<const int64_t> key;

  bool operator()(uint32_t a, uint32_t b) const {
    if (!key.empty()) return key[a] > key[b];
    const uint32_t row_a = shown.row[a];
    const uint32_t row_b = shown.row[b];
    // Avoids comparing long names that differ only in the last part.
    if (tree.siblings_by_name && tree.parent[row_a] == tree.parent[row_b]) return row_a < row_b;
    return tree.Name(row_a) < tree.Name(row_b);
  }
};

std::vector<int64_t> Keys(const ShownRows& shown, OrderBy order_by,
                          std::span<const int64_t> occurrence) {
  std::vector<int64_t> keys;
  const std::optional<Measure> measure = MeasureOf(order_by);
  if (!measure) return keys;
  if (order_by == OrderBy::occurrence) {
    if (occurrence.empty()) return keys;
    for (const uint32_t row : shown.row) keys.push_back(occurrence[row]);
    return keys;
  }
  keys.reserve(shown.row.size());
  for (const MeasureValues& total : shown.totals) keys.push_back(At(total, *measure));
  return keys;
}

bool InOrder(const SiblingLess& before) {
  const ShownRows& shown = before.shown;
  std::vector<uint32_t> last_child(shown.row.size(), Table::kNoRow);
  for (uint32_t i = 1; i < shown.row.size(); ++i) {
    uint32_t& last = last_child[shown.parent[i]];
    if (last != Table::kNoRow && before(i, last)) return false;
    last = i;
  }
  return true;
}

// Children of shown row i are rows[first[i] .. first[i + 1]).
struct Children {
  std::vector<uint32_t> first;
  std::vector<uint32_t> rows;
};

Children ChildrenOf(const ShownRows& shown) {
  const size_t count = shown.row.size();
  Children children;
  children.first.assign(count + 2, 0);
  children.rows.resize(count - 1);
  for (size_t i = 1; i < count; ++i) ++children.first[shown.parent[i] + 2];
  for (size_t i = 2; i < count + 2; ++i) children.first[i] += children.first[i - 1];
  for (uint32_t i = 1; i < count; ++i) {
    children.rows[children.first[shown.parent[i] + 1]++] = i;
  }
  children.first.pop_back();
  return children;
}

// Returns old row numbers in the new depth-first order.
std::vector<uint32_t> DepthFirst(const Children& children) {
  std::vector<uint32_t> order;
  order.reserve(children.rows.size() + 1);
  std::vector<uint32_t> stack = {0};
  while (!stack.empty()) {
    const uint32_t row = stack.back();
    stack.pop_back();
    order.push_back(row);
    for (uint32_t i = children.first[row + 1]; i > children.first[row]; --i) {
      stack.push_back(children.rows[i - 1]);
    }
  }
  return order;
}

void Permute(const std::vector<uint32_t>& order, ShownRows* shown) {
  const size_t count = order.size();
  std::vector<uint32_t> place(count);
  for (uint32_t i = 0; i < count; ++i) place[order[i]] = i;
  ShownRows moved;
  moved.row.reserve(count);
  moved.parent.reserve(count);
  moved.depth.reserve(count);
  moved.totals.Reserve(count);
  moved.present.Reserve(count);
  for (const uint32_t old : order) {
    const uint32_t parent = shown->parent[old];
    moved.row.push_back(shown->row[old]);
    moved.parent.push_back(parent == Table::kNoRow ? parent : place[parent]);
    moved.depth.push_back(shown->depth[old]);
    moved.totals.Push(shown->totals[old]);
    moved.present.Push(shown->present[old]);
  }
  *shown = std::move(moved);
}

// Sorts rows in depth-first order: siblings by -order_by of their totals, ties stable; the result
// is still depth-first. Costs one pass if the rows are in that order already. `occurrence`: as for
// WalkTree.
Result<void> OrderSiblings(const NamedTree& tree, OrderBy order_by,
                           std::span<const int64_t> occurrence, ShownRows* shown,
                           Context& context) {
  const std::vector<int64_t> keys = Keys(*shown, order_by, occurrence);
  const SiblingLess before{tree, *shown, keys};
  if (InOrder(before)) return {};
  Children children = ChildrenOf(*shown);
  for (size_t i = 0; i + 1 < children.first.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const std::span<uint32_t> rows(children.rows.begin() + children.first[i],
                                   children.rows.begin() + children.first[i + 1]);
    if (rows.size() > 1) TFPROF_TRY(PolledSort(rows, before, context));
  }
  TFPROF_TRY(Poll(context));
  Permute(DepthFirst(children), shown);
  return Poll(context);
}

}  // namespace

Result<ShownRows> WalkTree(const NamedTree& tree, const OwnValues& own, const TreeTotals& totals,
                           std::span<const uint8_t> accounted, const WalkRules& rules,
                           const Query& query, std::span<const int64_t> occurrence,
                           Context& context) {
  Walk walk{tree, own, totals, accounted, rules, query, TotalsCursor(totals), {}};
  TFPROF_TRY(VisitAll(walk, context));
  FillTotals(walk);
  TFPROF_TRY(OrderSiblings(tree, query.display.order_by, occurrence, &walk.shown, context));
  return std::move(walk.shown);
}

}  // namespace tfprof
