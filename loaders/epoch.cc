// SPDX-License-Identifier: Apache-2.0
#include "loaders/epoch.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace tfprof {

void SetEpoch(const std::vector<int64_t>& starts_us, StoreBuilder& store) {
  constexpr int64_t kNearUs = int64_t{100} * 24 * 3600 * 1'000'000;
  constexpr int64_t kLatestUs = std::numeric_limits<int64_t>::max() / kNsPerUs;
  if (starts_us.empty() || store.has_epoch()) return;
  std::vector<int64_t> sorted = starts_us;
  const auto middle = sorted.begin() + static_cast<ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  for (const int64_t start_us : starts_us) {
    if (start_us <= kLatestUs && std::abs(start_us - *middle) <= kNearUs) {
      store.SetEpoch(start_us * kNsPerUs);
      return;
    }
  }
}

}  // namespace tfprof
