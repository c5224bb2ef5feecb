// SPDX-License-Identifier: Apache-2.0
#include "core/report/fold_plan.h"
#include "core/base/context.h"

#include <algorithm>
#include <numeric>

#include "core/base/arith.h"
#include "core/base/sorting.h"
#include "core/report/alike_names.h"

namespace tfprof {
namespace {

constexpr int64_t kMinShare = 100;  // smaller fractions of the largest value are no outliers

// The children of row i are rows[first[i] .. first[i + 1]); those of row `table.rows` have no
// parent.
struct Children {
  std::vector<uint32_t> first;
  std::vector<uint32_t> rows;

  std::span<const uint32_t> Of(size_t row) const {
    return std::span(rows).subspan(first[row], first[row + 1] - first[row]);
  }
};

Children ChildrenOf(const Table& table) {
  Children children;
  children.first.assign(table.rows + 3, 0);
  children.rows.resize(table.rows);
  for (size_t row = 0; row < table.rows; ++row) ++children.first[ParentOf(table, row) + 2];
  std::partial_sum(children.first.begin(), children.first.end(), children.first.begin());
  for (uint32_t row = 0; row < table.rows; ++row) {
    children.rows[children.first[ParentOf(table, row) + 1]++] = row;
  }
  children.first.pop_back();
  return children;
}

// By row, the largest value of it and its descendants.
std::vector<int64_t> LargestWithin(const Table& table, const RowFacts& facts) {
  std::vector<int64_t> largest = facts.value;
  largest.push_back(0);  // the whole table
  for (size_t row = table.rows; row-- > 0;) {
    int64_t& above = largest[ParentOf(table, row)];
    above = std::max(above, largest[row]);
  }
  return largest;
}

// Rows pool[begin .. begin + count) that fold together.
struct FoldGroup {
  uint32_t begin = 0;
  uint32_t count = 0;
  int64_t value = 0;  // the sum
};

// Processes one set of siblings after another, from the root down.
struct Folder {
  const Table& table;
  const RowFacts& facts;
  const Children children;
  const std::vector<int64_t> largest;  // LargestWithin
  int64_t min_value = 0;
  std::vector<uint32_t> pool;

  uint32_t Leader(const FoldGroup& row) const { return pool[row.begin]; }

  int64_t ValueOf(std::span<const uint32_t> rows) const {
    int64_t sum = 0;
    for (const uint32_t row : rows) {
      if (facts.value[row] != kNoInt) sum = SaturatingAdd(sum, facts.value[row]);
    }
    return sum;
  }

  bool IsKnown(const FoldGroup& rows) const {
    return std::any_of(pool.begin() + rows.begin, pool.begin() + rows.begin + rows.count,
                       [&](uint32_t row) { return facts.value[row] != kNoInt; });
  }

  FoldGroup Made(uint32_t begin) const {
    const auto count = static_cast<uint32_t>(pool.size()) - begin;
    return {begin, count, ValueOf(std::span(pool).subspan(begin, count))};
  }

  void Append(const FoldGroup& rows) {
    for (uint32_t i = 0; i < rows.count; ++i) pool.push_back(pool[rows.begin + i]);
  }

  // The children of `rows`, grouped by place, in the order of the first row's children.
  std::vector<FoldGroup> Below(std::span<const uint32_t> rows) {
    std::vector<std::vector<uint32_t>> lists;  // by row
    for (const uint32_t row : rows) {
      const std::span<const uint32_t> below = children.Of(row);
      lists.emplace_back(below.begin(), below.end());
      if (rows.size() == 1) break;
      StableSort(lists.back(),
                 [&](uint32_t a, uint32_t b) { return facts.place[a] < facts.place[b]; });
    }
    std::vector<FoldGroup> together;
    for (size_t i = 0; i < lists[0].size(); ++i) {
      const auto begin = static_cast<uint32_t>(pool.size());
      for (const auto& list : lists) {
        if (i < list.size()) pool.push_back(list[i]);
      }
      together.push_back(Made(begin));
    }
    std::sort(together.begin(), together.end(),
              [&](const FoldGroup& a, const FoldGroup& b) { return Leader(a) < Leader(b); });
    return together;
  }

  // For each row of `rows`, which are alike, true if one of its descendants is an outlier among
  // those of the same place.
  std::vector<bool> OutliersBelow(const std::vector<uint32_t>& rows) {
    std::vector<bool> out(rows.size(), false);
    const size_t pool_before = pool.size();
    std::vector<std::vector<uint32_t>> stack{rows};
    while (!stack.empty()) {
      const std::vector<uint32_t> above = std::move(stack.back());
      stack.pop_back();
      const bool any = std::any_of(above.begin(), above.end(),
                                   [&](uint32_t row) { return largest[row] >= min_value; });
      if (!any || children.Of(above[0]).empty()) continue;
      for (const FoldGroup& below : Below(above)) {
        const auto begin = pool.begin() + below.begin;
        stack.emplace_back(begin, begin + below.count);
        MarkOutliers(stack.back(), &out);
      }
    }
    pool.resize(pool_before);
    return out;
  }

  void MarkOutliers(const std::vector<uint32_t>& rows, std::vector<bool>* out) const {
    std::vector<int64_t> values;
    for (const uint32_t row : rows) values.push_back(facts.value[row]);
    const int64_t min = MinOutlier(std::move(values), min_value);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (facts.value[rows[i]] >= min) (*out)[i] = true;
    }
  }

  // The siblings of `group` without an outlier among their descendants.
  std::vector<uint32_t> Even(const std::vector<FoldGroup>& siblings,
                             std::span<const uint32_t> group) {
    std::vector<uint32_t> rows;
    std::vector<uint32_t> end;  // by sibling, end index in `rows`
    for (const uint32_t i : group) {
      for (uint32_t j = 0; j < siblings[i].count; ++j) rows.push_back(pool[siblings[i].begin + j]);
      end.push_back(static_cast<uint32_t>(rows.size()));
    }
    const std::vector<bool> out = OutliersBelow(rows);
    std::vector<uint32_t> even;
    for (size_t i = 0; i < group.size(); ++i) {
      const auto first = out.begin() + (i == 0 ? 0 : end[i - 1]);
      if (std::find(first, out.begin() + end[i], true) == out.begin() + end[i]) {
        even.push_back(group[i]);
      }
    }
    return even;
  }

  // Combines those of `siblings` that fold together.
  std::vector<FoldGroup> Joined(const std::vector<FoldGroup>& siblings) {
    std::vector<NamedRow> named;
    for (const FoldGroup& row : siblings) {
      const int64_t value = IsKnown(row) ? row.value : kNoInt;
      named.push_back({facts.name[Leader(row)], facts.kind[Leader(row)], value});
    }
    const RowGroups groups = GroupAlike(named, min_value);
    std::vector<FoldGroup> joined;
    std::vector<bool> done(siblings.size(), false);
    for (size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].size() < kMinFolded) continue;
      const std::vector<uint32_t> group = Even(siblings, groups[i]);
      if (group.size() < kMinFolded) continue;
      const auto begin = static_cast<uint32_t>(pool.size());
      for (const uint32_t sibling : group) {
        Append(siblings[sibling]);
        done[sibling] = true;
      }
      joined.push_back(Made(begin));
    }
    for (size_t i = 0; i < siblings.size(); ++i) {
      if (!done[i]) joined.push_back(siblings[i]);
    }
    std::sort(joined.begin(), joined.end(),
              [&](const FoldGroup& a, const FoldGroup& b) { return Leader(a) < Leader(b); });
    return joined;
  }

  // The children of `rows` in the folded table, in its order.
  std::vector<FoldGroup> FoldedBelow(std::span<const uint32_t> rows) {
    const std::vector<FoldGroup> below = Below(rows);
    std::vector<FoldGroup> folded = below.size() < kMinFolded ? below : Joined(below);
    const bool same_order = rows.size() == 1 && folded.size() == below.size();
    if (!same_order && !table.ordered_by.empty()) {
      StableSort(folded, [&](const FoldGroup& a, const FoldGroup& b) {
        const uint32_t block_a = facts.block[Leader(a)], block_b = facts.block[Leader(b)];
        return block_a != block_b ? block_a < block_b : a.value > b.value;
      });
    }
    return folded;
  }
};

}  // namespace

Result<FoldPlan> PlanFold(const Table& table, const ReportColumn& names, Context& context) {
  TFPROF_TRY(Poll(context));
  const RowFacts facts = RowFactsOf(table, names);
  TFPROF_TRY(Poll(context));
  int64_t max = 0;
  for (const int64_t value : facts.value) max = std::max(max, value);
  Folder folder{table, facts, ChildrenOf(table), LargestWithin(table, facts), max / kMinShare, {}};
  FoldPlan plan;
  const uint32_t root[] = {static_cast<uint32_t>(table.rows)};
  std::vector<FoldGroup> stack = folder.FoldedBelow(root);
  std::reverse(stack.begin(), stack.end());
  while (!stack.empty()) {
    if (plan.rows() % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const FoldGroup row = stack.back();
    stack.pop_back();
    const std::vector<uint32_t> rows(folder.pool.begin() + row.begin,
                                     folder.pool.begin() + row.begin + row.count);
    plan.members.insert(plan.members.end(), rows.begin(), rows.end());
    plan.first.push_back(static_cast<uint32_t>(plan.members.size()));
    if (folder.children.Of(rows[0]).empty()) continue;
    const std::vector<FoldGroup> below = folder.FoldedBelow(rows);
    stack.insert(stack.end(), below.rbegin(), below.rend());
  }
  return plan;
}

}  // namespace tfprof
