// SPDX-License-Identifier: Apache-2.0
#include "core/text/number_ranges.h"

#include <catch2/catch.hpp>
#include <vector>

namespace tfprof::number_ranges_test {
namespace {

std::string Ranges(const std::vector<std::string_view>& names) { return WithRanges(names); }

TEST_CASE("number_ranges: numbers in any order are sorted by value", "[core]") {
  CHECK(Ranges({"l_2", "l_0", "l_1"}) == "l_{0..2}");
  CHECK(Ranges({"l_8", "l_11", "l_10", "l_9"}) == "l_{8..11}");
  CHECK(Ranges({"l_1", "l_3", "l_1"}) == "l_{1,3}");
  CHECK(Ranges({"a_1/b_7", "a_2/b_7", "a_3/b_7"}) == "a_{1..3}/b_7");
  CHECK(Ranges({"a_1/b_6", "a_2/b_7", "a_3/b_8"}) == "a_{1..3}/b_{6..8}");
  CHECK(Ranges({"x1", "x3", "x5", "x7", "x9", "x11", "x13"}) == "x{1,3,5,7,...,13}");
}

TEST_CASE("number_ranges: leading zeros keep numbers distinct", "[core]") {
  CHECK(Ranges({"l_09", "l_10", "l_08"}) == "l_{08..10}");
  CHECK(Ranges({"l_9", "l_010", "l_8"}) == "l_{8,9,010}");
  CHECK(Ranges({"l_07", "l_7", "l_007"}) == "l_{7,07,007}");
  CHECK(Ranges({"l_0", "l_00", "l_1"}) == "l_{0,00,1}");
}

TEST_CASE("number_ranges: numbers may have any length", "[core]") {
  CHECK(Ranges({"n1000000000000000000", "n999999999999999999", "n1000000000000000001"}) ==
        "n{999999999999999999..1000000000000000001}");
  CHECK(Ranges({"n18446744073709551616", "n18446744073709551615", "n18446744073709551617"}) ==
        "n{18446744073709551615..18446744073709551617}");
  CHECK(Ranges({"n100000000000000000000000000", "n5", "n0099999999999999999999999999"}) ==
        "n{5,0099999999999999999999999999,100000000000000000000000000}");
}

}  // namespace
}  // namespace tfprof::number_ranges_test
