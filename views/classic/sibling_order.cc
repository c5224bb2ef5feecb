// SPDX-License-Identifier: Apache-2.0
#include "views/classic/sibling_order.h"

#include <algorithm>

#include "core/base/context.h"
#include "core/base/polled_sort.h"

namespace tfprof {
namespace {

// Order of two shown sibling rows.
struct StandsBefore {
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

bool InOrder(const StandsBefore& before) {
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

}  // namespace

Result<void> OrderSiblings(const NamedTree& tree, OrderBy order_by,
                           std::span<const int64_t> occurrence, ShownRows* shown,
                           Context& context) {
  const std::vector<int64_t> keys = Keys(*shown, order_by, occurrence);
  const StandsBefore before{tree, *shown, keys};
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

}  // namespace tfprof
