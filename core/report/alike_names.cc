// SPDX-License-Identifier: Apache-2.0
#include "core/report/alike_names.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/base/arith.h"
#include "core/base/hash.h"
#include "core/text/number_ranges.h"

namespace tfprof {
namespace {

constexpr size_t kMaxNumbers = 8;  // max numbers per name that are compared: the last ones
constexpr uint32_t kNoGroup = 0xFFFFFFFFu;
constexpr int64_t kFarBelow = 4;  // divisor of the median

int64_t MiddleOf(std::vector<int64_t>* values) {
  const auto middle = values->begin() + static_cast<ptrdiff_t>(values->size() / 2);
  std::nth_element(values->begin(), middle, values->end());
  return *middle;
}

// A name without one of its numbers.
struct Gap {
  std::string_view before;
  std::string_view after;
  uint64_t kind = 0;

  uint64_t Hash() const { return HashPair(tfprof::Hash(before) ^ kind, tfprof::Hash(after)); }
  bool operator==(const Gap& other) const {
    return kind == other.kind && SameText(after, other.after) && SameText(before, other.before);
  }
};

// The possible groups of each row, and the number of rows in each group.
struct Candidates {
  std::vector<uint32_t> first;   // by row, index into `groups`; one more than there are rows
  std::vector<uint32_t> groups;  // in the order of the numbers in the name
  std::vector<uint32_t> sizes;   // by group
};

Candidates CandidatesOf(std::span<const NamedRow> rows) {
  Candidates found;
  GroupIndex<Gap> index;
  for (const NamedRow& row : rows) {
    found.first.push_back(static_cast<uint32_t>(found.groups.size()));
    Digits runs[kMaxNumbers];
    size_t count = 0;
    for (Digits run = NextDigits(row.name, 0); run.begin < run.end;
         run = NextDigits(row.name, run.end)) {
      runs[count++ % kMaxNumbers] = run;
    }
    for (size_t i = count - std::min(count, kMaxNumbers); i < count; ++i) {
      const Digits run = runs[i % kMaxNumbers];
      const uint32_t group =
          index.Of({row.name.substr(0, run.begin), row.name.substr(run.end), row.kind});
      if (group == found.sizes.size()) found.sizes.push_back(0);
      ++found.sizes[group];
      found.groups.push_back(group);
    }
  }
  found.first.push_back(static_cast<uint32_t>(found.groups.size()));
  return found;
}

// The largest group of each row; kNoGroup: none is large enough.
std::vector<uint32_t> Choose(const Candidates& candidates, size_t min_rows) {
  std::vector<uint32_t> chosen(candidates.first.size() - 1, kNoGroup);
  for (size_t row = 0; row < chosen.size(); ++row) {
    auto max = static_cast<uint32_t>(min_rows);
    for (uint32_t i = candidates.first[row]; i < candidates.first[row + 1]; ++i) {
      const uint32_t size = candidates.sizes[candidates.groups[i]];
      if (size < max) continue;
      max = size;
      chosen[row] = candidates.groups[i];
    }
  }
  return chosen;
}

// Removes the outliers from `members`.
void DropOutliers(std::span<const NamedRow> rows, int64_t min_value,
                  std::vector<uint32_t>* members) {
  std::vector<int64_t> values;
  for (const uint32_t row : *members) values.push_back(rows[row].value);
  const int64_t min = MinOutlier(std::move(values), min_value);
  std::erase_if(*members, [&](uint32_t row) { return rows[row].value >= min; });
}

// Moves rows of similar value out of `members`: those of at least 1 / kFarBelow of the median, if
// the median is significant. An absent value never counts as small.
std::vector<uint32_t> TakeEven(std::span<const NamedRow> rows, int64_t min_value,
                               std::vector<uint32_t>* members) {
  std::vector<int64_t> values;
  for (const uint32_t row : *members) values.push_back(rows[row].value);
  const int64_t middle = MiddleOf(&values);
  const int64_t min = middle >= std::max<int64_t>(min_value, 1) ? middle / kFarBelow : kNoInt;
  std::vector<uint32_t> even, below;
  for (const uint32_t row : *members) {
    const int64_t value = rows[row].value;
    (value != kNoInt && value < min ? below : even).push_back(row);
  }
  *members = std::move(below);
  return even;
}

RowGroups SortByGroup(const std::vector<uint32_t>& group_of, size_t groups) {
  RowGroups sorted;
  sorted.first.assign(groups + 2, 0);
  for (const uint32_t group : group_of) {
    if (group != kNoGroup) ++sorted.first[group + 2];
  }
  std::partial_sum(sorted.first.begin(), sorted.first.end(), sorted.first.begin());
  sorted.rows.resize(sorted.first.back());
  for (uint32_t row = 0; row < group_of.size(); ++row) {
    if (group_of[row] != kNoGroup) sorted.rows[sorted.first[group_of[row] + 1]++] = row;
  }
  sorted.first.pop_back();
  return sorted;
}

}  // namespace

int64_t MinOutlier(std::vector<int64_t> values, int64_t min_value) {
  const int64_t half = std::max<int64_t>(MiddleOf(&values), 0);
  const int64_t twice = half > std::numeric_limits<int64_t>::max() / 2
                            ? std::numeric_limits<int64_t>::max()
                            : 2 * half;
  return std::max({twice, min_value, int64_t{1}});
}

RowGroups GroupAlike(std::span<const NamedRow> rows, int64_t min_value, size_t min_rows) {
  std::vector<uint32_t> leaders(rows.size());  // by row: the first row of its group
  std::iota(leaders.begin(), leaders.end(), 0);
  const Candidates candidates = CandidatesOf(rows);
  const RowGroups chosen = SortByGroup(Choose(candidates, min_rows), candidates.sizes.size());
  for (size_t group = 0; group < chosen.size(); ++group) {
    if (chosen[group].size() < min_rows) continue;
    std::vector<uint32_t> members(chosen[group].begin(), chosen[group].end());
    while (members.size() >= min_rows) {
      DropOutliers(rows, min_value, &members);
      if (members.size() < min_rows) break;
      const std::vector<uint32_t> even = TakeEven(rows, min_value, &members);
      if (even.size() < min_rows) continue;
      for (const uint32_t row : even) leaders[row] = even.front();
    }
  }
  return SortByGroup(leaders, rows.size());
}

}  // namespace tfprof
