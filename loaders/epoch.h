// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "core/store/builder.h"

namespace tfprof {

// How many start times a loader should look at before it stores the first one.
constexpr size_t kSampleStarts = 64;

// Sets time 0 of the store, if it is not set: the first of `starts_us` (wall time, us, > 0) that
// lies within 100 days of their median, so that one wild time does not move all others out of
// range.
void SetEpoch(const std::vector<int64_t>& starts_us, StoreBuilder& store);

}  // namespace tfprof
