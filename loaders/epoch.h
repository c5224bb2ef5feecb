// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "core/store/builder.h"

namespace tfprof {

// The number of start times that a loader samples before it stores the first one.
constexpr size_t kSampleStarts = 64;

// Sets time 0 of the store if it is unset. Takes the first of `starts_us` (wall time, us, > 0)
// within 100 days of their median, so that one outlier does not move all other times out of range.
void SetEpoch(const std::vector<int64_t>& starts_us, StoreBuilder& store);

}  // namespace tfprof
