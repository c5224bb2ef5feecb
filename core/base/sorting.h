// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/context.h"

namespace tfprof {

// Sorts numbers in ascending order. `low_bits`: keys that differ only in these lowest bits are
// already in order (the bits may be a row number), which saves passes. Nearly sorted keys cost
// about one pass, others one pass per 11 bits or more. `scratch` is reused for its capacity.
void SortKeys(std::vector<uint64_t>* keys, int low_bits, std::vector<uint64_t>* scratch);

// Returns the positions 0 .. count - 1 in an order of before(a, b); equal ones keep theirs.
std::vector<uint32_t> StableOrder(size_t count,
                                  const std::function<bool(uint32_t a, uint32_t b)>& before);

// As std::ranges::stable_sort, for the rows of tables: only positions are sorted, by code that is
// compiled once. A comparison costs a call.
template <class Rows, class Compare = std::ranges::less, class Projection = std::identity>
void StableSort(Rows& rows, Compare compare = {}, Projection projection = {}) {
  const auto before = [&](uint32_t a, uint32_t b) {
    return std::invoke(compare, std::invoke(projection, rows[a]), std::invoke(projection, rows[b]));
  };
  Rows sorted;
  sorted.reserve(rows.size());
  for (const uint32_t at : StableOrder(rows.size(), std::ref(before))) {
    sorted.push_back(std::move(rows[at]));
  }
  rows = std::move(sorted);
}

// As std::stable_sort, but cancellable: sorting a million texts takes half a second. After a
// cancellation, the contents of `items` are unspecified.
template <class T, class Before>
Result<void> PolledSort(std::span<T> items, Before before, Context& context) {
  constexpr size_t kItemsPerPoll = 1 << 15;
  const size_t count = items.size();
  for (size_t first = 0; first < count; first += kItemsPerPoll) {
    TFPROF_TRY(Poll(context));
    const auto run = items.subspan(first, std::min(kItemsPerPoll, count - first));
    std::stable_sort(run.begin(), run.end(), before);
  }
  std::vector<T> left;
  for (size_t size = kItemsPerPoll; size < count; size *= 2) {
    for (size_t first = 0; first + size < count; first += 2 * size) {
      const size_t end = std::min(first + 2 * size, count);
      size_t b = first + size, out = first;
      if (!before(items[b], items[b - 1])) continue;
      left.assign(items.begin() + static_cast<ptrdiff_t>(first),
                  items.begin() + static_cast<ptrdiff_t>(b));
      for (size_t a = 0; a < left.size(); ++out) {
        if (out % kItemsPerPoll == 0) TFPROF_TRY(Poll(context));
        items[out] = b < end && before(items[b], left[a]) ? items[b++] : left[a++];
      }
    }
  }
  return {};
}

// The value at `percent` of the way from the least to the greatest, in order: of n values, at rank
// (n - 1) * percent / 100, counted from 0; between two ranks, linear interpolation, rounded down
// for integers. Reorders the values. Cost: linear. REQUIRES: !values.empty(); percent in [0, 100];
// no difference overflows.
template <class T>
T Percentile(std::span<T> values, unsigned percent) {
  const size_t hundredths = (values.size() - 1) * percent;  // of a rank
  const size_t between = hundredths % 100;
  const auto lower = values.begin() + static_cast<ptrdiff_t>(hundredths / 100);
  std::nth_element(values.begin(), lower, values.end());
  if (between == 0) return *lower;
  const T difference = *std::min_element(lower + 1, values.end()) - *lower;
  if constexpr (std::is_integral_v<T>) {
    __extension__ using Wide = __int128;
    return *lower + static_cast<T>(static_cast<Wide>(difference) * between / 100);
  } else {
    return *lower + difference * (static_cast<T>(between) / 100);
  }
}

// The mean of the two central values, if their number is even.
template <class T>
T Median(std::vector<T> values) {
  return Percentile(std::span(values), 50);
}

}  // namespace tfprof
