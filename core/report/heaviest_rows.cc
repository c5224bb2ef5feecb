// SPDX-License-Identifier: Apache-2.0
#include "core/report/heaviest_rows.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "core/base/arith.h"

namespace tfprof {
namespace {

const ReportColumn* WeightsOf(const Table& tree) {
  if (!tree.ordered_by.empty()) return tree.Find(tree.ordered_by);
  for (const ReportColumn& column : tree.columns) {
    if (column.spec.role == ColumnRole::total) return &column;
  }
  return nullptr;
}

// The children of row i are rows[first[i + 1] .. first[i + 2]); those without a parent are
// rows[first[0] .. first[1]).
struct ChildLists {
  std::vector<uint32_t> first;
  std::vector<uint32_t> rows;
};

ChildLists ChildListsOf(const Table& tree, std::span<const uint32_t> rows) {
  const auto slot = [&](uint32_t row) {
    return tree.parent[row] == Table::kNoRow ? size_t{0} : size_t{tree.parent[row]} + 1;
  };
  ChildLists children{std::vector<uint32_t>(tree.rows + 2), std::vector<uint32_t>(rows.size())};
  for (const uint32_t row : rows) ++children.first[slot(row) + 1];
  for (size_t i = 1; i < children.first.size(); ++i) children.first[i] += children.first[i - 1];
  std::vector<uint32_t> next = children.first;
  for (const uint32_t row : rows) children.rows[next[slot(row)]++] = row;
  return children;
}

}  // namespace

std::vector<uint32_t> HeaviestRows(const Table& tree, std::span<const uint32_t> rows, size_t max) {
  const ReportColumn* weights = WeightsOf(tree);
  if (weights == nullptr) return {rows.begin(), rows.begin() + static_cast<ptrdiff_t>(max)};
  const ChildLists children = ChildListsOf(tree, rows);
  // Of equal weights the first row in depth-first order. kNoInt is the least weight.
  using Candidate = std::pair<int64_t, int64_t>;  // weight, -row
  std::priority_queue<Candidate> candidates;
  const auto add = [&](size_t slot) {
    for (uint32_t i = children.first[slot]; i < children.first[slot + 1]; ++i) {
      const uint32_t row = children.rows[i];
      candidates.emplace(weights->Integer(row), -int64_t{row});
    }
  };
  add(0);
  std::vector<uint32_t> chosen;
  while (chosen.size() < max && !candidates.empty()) {
    const auto row = static_cast<uint32_t>(-candidates.top().second);
    candidates.pop();
    chosen.push_back(row);
    add(size_t{row} + 1);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void CountOmittedBelow(std::span<const uint32_t> rows, std::span<const uint32_t> chosen,
                       Table* tree) {
  tree->omitted_below.resize(tree->rows);
  std::vector<bool> kept(tree->rows);
  for (const uint32_t row : chosen) kept[row] = true;
  // Nearest chosen ancestor of each omitted row. Parents precede their children.
  std::vector<uint32_t> above(tree->rows, Table::kNoRow);
  for (const uint32_t row : rows) {
    if (kept[row]) continue;
    const uint32_t parent = tree->parent[row];
    if (parent == Table::kNoRow) continue;
    above[row] = kept[parent] ? parent : above[parent];
    if (above[row] == Table::kNoRow) continue;
    tree->omitted_below[above[row]] += 1 + tree->omitted_below[row];
    if (!kept[parent]) continue;
    for (ReportColumn& column : tree->columns) {
      if (column.spec.role != ColumnRole::total) continue;
      column.omitted_below.resize(tree->rows, kNoInt);
      const int64_t value = column.Integer(row);
      int64_t& sum = column.omitted_below[parent];
      if (value != kNoInt) sum = SaturatingAdd(sum == kNoInt ? 0 : sum, value);
    }
  }
}

}  // namespace tfprof
