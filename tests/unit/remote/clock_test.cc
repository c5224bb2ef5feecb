// SPDX-License-Identifier: Apache-2.0
#include "remote/clock.h"

#include <catch2/catch.hpp>

namespace tfprof::remote::clock_test {
namespace {

constexpr int64_t kMs = 1'000'000, kSecond = 1000 * kMs;

TEST_CASE("the offset of a clock: the session lies within the call") {
  // The call is from 10 to 13 s by our clock. The session, 2 s by the server's clock, begins there
  // at 50 s. So it begins 40 s ahead at most, and ends at 52 s, which is 39 s after the call at
  // least.
  const auto offset = OffsetOf({10 * kSecond, 13 * kSecond}, {50 * kSecond, 52 * kSecond});
  REQUIRE(offset.has_value());
  CHECK(offset->low_ns == 39 * kSecond);
  CHECK(offset->high_ns == 40 * kSecond);
  CHECK(offset->IsApart());
  CHECK(OffsetText(*offset) == "39.0 s to 40.0 s ahead of ours");
  CHECK(OffsetText({-3 * kSecond, -2 * kSecond}) == "2.00 s to 3.00 s behind ours");
  CHECK(OffsetText({5 * kMs, 5 * kMs + 1}) == "5.00 ms ahead of ours");
}

TEST_CASE("clocks that may agree are not apart") {
  CHECK_FALSE(ClockOffset{-kSecond, kSecond}.IsApart());
  CHECK_FALSE(ClockOffset{kMs, 2 * kMs}.IsApart());
  CHECK(ClockOffset{kMs + 1, 2 * kMs}.IsApart());
  CHECK_FALSE(ClockOffset{-2 * kMs, -kMs}.IsApart());
  CHECK(ClockOffset{-2 * kMs, -kMs - 1}.IsApart());
}

TEST_CASE("a session longer than its call has no offset") {
  CHECK_FALSE(OffsetOf({0, kSecond}, {0, 2 * kSecond}).has_value());
}

}  // namespace
}  // namespace tfprof::remote::clock_test
