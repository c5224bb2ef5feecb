// SPDX-License-Identifier: Apache-2.0
#include "emitters/cells.h"

#include <catch2/catch.hpp>

#include "core/base/arith.h"

namespace tfprof::cells_test {
namespace {

std::string Scaled(int64_t value, Unit unit) {
  std::string text;
  AppendScaled(value, unit, &text);
  return text;
}

}  // namespace

TEST_CASE("picoseconds are written as exact decimals of their unit, with a sign") {
  CHECK(Scaled(1'500'000, Unit::ps_as_us) == "1.5");
  CHECK(Scaled(-1'500'000, Unit::ps_as_us) == "-1.5");
  CHECK(Scaled(-1, Unit::ps_as_us) == "-0.000001");
  CHECK(Scaled(20'000'000, Unit::ps_as_us) == "20");
  CHECK(Scaled(1'500'000'000, Unit::ps_as_ms) == "1.5");
  CHECK(Scaled(1, Unit::ps_as_ms) == "0.000000001");
  CHECK(Scaled(-7, Unit::bytes) == "-7");
  CHECK(Scaled(kMinPs, Unit::ps_as_us) == "-9223372036854.775807");
}

TEST_CASE("quotients are written with all digits, else as doubles") {
  const auto divided = [](int64_t value, Unit unit, int64_t divisor) {
    std::string text = "7";  // stays
    AppendScaled(value, unit, &text, divisor);
    return text.substr(1);
  };
  CHECK(divided(21'000'000, Unit::ps_as_us, 3) == "7");
  CHECK(divided(1'000'000, Unit::ps_as_us, 8) == "0.125");
  CHECK(divided(-5, Unit::bytes, 2) == "-2.5");
  CHECK(divided(1'000'000, Unit::ps_as_us, 3) == "0.3333333333333333");
  CHECK(divided(200, Unit::count, 3) == "66.66666666666667");
}

}  // namespace tfprof::cells_test
