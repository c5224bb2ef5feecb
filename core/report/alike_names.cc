// SPDX-License-Identifier: Apache-2.0
#include "core/report/alike_names.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/base/arith.h"
#include "core/base/hash.h"
#include "core/base/number_ranges.h"

namespace tfprof {
namespace {

constexpr size_t kMostNumbers = 8;  // max numbers per name that are compared: the last ones
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
  std::string_view behind;
  uint64_t kind = 0;

  uint64_t Hash() const { return HashPair(tfprof::Hash(before) ^ kind, tfprof::Hash(behind)); }
  bool operator==(const Gap& other) const {
    return kind == other.kind && SameText(behind, other.behind) && SameText(before, other.before);
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
    Digits runs[kMostNumbers];
    size_t count = 0;
    for (Digits run = NextDigits(row.name, 0); run.begin < run.end;
         run = NextDigits(row.name, run.end)) {
      runs[count++ % kMostNumbers] = run;
    }
    for (size_t i = count - std::min(count, kMostNumbers); i < count; ++i) {
      const Digits run = runs[i % kMostNumbers];
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
std::vector<uint32_t> Choose(const Candidates& candidates, size_t fewest) {
  std::vector<uint32_t> chosen(candidates.first.size() - 1, kNoGroup);
  for (size_t row = 0; row < chosen.size(); ++row) {
    auto most = static_cast<uint32_t>(fewest);
    for (uint32_t i = candidates.first[row]; i < candidates.first[row + 1]; ++i) {
      const uint32_t size = candidates.sizes[candidates.groups[i]];
      if (size < most) continue;
      most = size;
      chosen[row] = candidates.groups[i];
    }
  }
  return chosen;
}

// Removes the outliers from `members`.
void DropOutstanding(std::span<const NamedRow> rows, int64_t least_value,
                     std::vector<uint32_t>* members) {
  std::vector<int64_t> values;
  for (const uint32_t row : *members) values.push_back(rows[row].value);
  const int64_t least = LeastOutstanding(std::move(values), least_value);
  std::erase_if(*members, [&](uint32_t row) { return rows[row].value >= least; });
}

// Moves rows of similar value out of `members`: those of at least 1 / kFarBelow of the median, if
// the median is significant. An absent value never counts as small.
std::vector<uint32_t> TakeEven(std::span<const NamedRow> rows, int64_t least_value,
                               std::vector<uint32_t>* members) {
  std::vector<int64_t> values;
  for (const uint32_t row : *members) values.push_back(rows[row].value);
  const int64_t middle = MiddleOf(&values);
  const int64_t least = middle >= std::max<int64_t>(least_value, 1) ? middle / kFarBelow : kNoInt;
  std::vector<uint32_t> even, below;
  for (const uint32_t row : *members) {
    const int64_t value = rows[row].value;
    (value != kNoInt && value < least ? below : even).push_back(row);
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

int64_t LeastOutstanding(std::vector<int64_t> values, int64_t least_value) {
  const int64_t half = std::max<int64_t>(MiddleOf(&values), 0);
  const int64_t twice = half > std::numeric_limits<int64_t>::max() / 2
                            ? std::numeric_limits<int64_t>::max()
                            : 2 * half;
  return std::max({twice, least_value, int64_t{1}});
}

RowGroups GroupAlike(std::span<const NamedRow> rows, int64_t least_value, size_t fewest) {
  std::vector<uint32_t> leaders(rows.size());  // by row: the first row of its group
  std::iota(leaders.begin(), leaders.end(), 0);
  const Candidates candidates = CandidatesOf(rows);
  const RowGroups chosen = SortByGroup(Choose(candidates, fewest), candidates.sizes.size());
  for (size_t group = 0; group < chosen.size(); ++group) {
    if (chosen[group].size() < fewest) continue;
    std::vector<uint32_t> members(chosen[group].begin(), chosen[group].end());
    while (members.size() >= fewest) {
      DropOutstanding(rows, least_value, &members);
      if (members.size() < fewest) break;
      const std::vector<uint32_t> even = TakeEven(rows, least_value, &members);
      if (even.size() < fewest) continue;
      for (const uint32_t row : even) leaders[row] = even.front();
    }
  }
  return SortByGroup(leaders, rows.size());
}

}  // namespace tfprof
