// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace tfprof {

// The median. For an even number of values, it is the mean of the two central values, rounded down
// for integers. Cost: linear. REQUIRES: !values.empty(); no difference overflows.
template <class T>
T Median(std::vector<T> values) {
  const auto upper = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), upper, values.end());
  if (values.size() % 2 == 1) return *upper;
  const T lower = *std::max_element(values.begin(), upper);
  return lower + (*upper - lower) / 2;
}

}  // namespace tfprof
