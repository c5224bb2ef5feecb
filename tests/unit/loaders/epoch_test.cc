// SPDX-License-Identifier: Apache-2.0
#include "loaders/epoch.h"

#include <catch2/catch.hpp>

#include <limits>
#include <vector>

#include "core/base/arith.h"

namespace tfprof::epoch_test {
namespace {

constexpr int64_t kDayUs = int64_t{24} * 3600 * 1'000'000;
constexpr int64_t kNowUs = 20'000 * kDayUs;

int64_t EpochUs(const std::vector<int64_t>& starts_us) {
  StoreBuilder store;
  SetEpoch(starts_us, store);
  return store.has_epoch() ? store.epoch_ns() / kNsPerUs : -1;
}

TEST_CASE("the first start near the median one is time 0, odd times are not") {
  CHECK(EpochUs({kNowUs, kNowUs + 5, kNowUs + 9}) == kNowUs);
  CHECK(EpochUs({7, kNowUs, kNowUs + 5}) == kNowUs);
  CHECK(EpochUs({kNowUs + 101 * kDayUs, kNowUs, kNowUs + 5}) == kNowUs);
  CHECK(EpochUs({kNowUs + 99 * kDayUs, kNowUs, kNowUs + 5}) == kNowUs + 99 * kDayUs);
}

TEST_CASE("times without nanoseconds in 64 bits, and no times, leave time 0 open") {
  CHECK(EpochUs({}) == -1);
  CHECK(EpochUs({std::numeric_limits<int64_t>::max()}) == -1);
}

}  // namespace
}  // namespace tfprof::epoch_test
