// SPDX-License-Identifier: Apache-2.0
#include "core/report/alike_names.h"

#include <catch2/catch.hpp>
#include <string>

#include "core/text/number_ranges.h"

namespace tfprof::alike_names_test {
namespace {

std::string Ranges(const std::vector<std::string_view>& names) { return WithRanges(names); }

TEST_CASE("Numbers in names become ranges") {
  CHECK(Ranges({"layer_2/mlp", "layer_0/mlp", "layer_1/mlp"}) == "layer_{0..2}/mlp");
  CHECK(Ranges({"a1", "a2", "a4", "a5", "a6"}) == "a{1,2,4..6}");
  CHECK(Ranges({"a1", "a2", "a3", "a3"}) == "a{1..3}");
  CHECK(Ranges({"8", "9", "10", "11"}) == "{8..11}");
  CHECK(Ranges({"alone_7"}) == "alone_7");
  CHECK(Ranges({"conv2d_1", "conv2d_2", "conv2d_3"}) == "conv2d_{1..3}");
}

TEST_CASE("Gaps in ranges are shown; of many ranges only the first and last ones") {
  CHECK(Ranges({"l0", "l1", "l2", "l4", "l5", "l6"}) == "l{0..2,4..6}");
  CHECK(Ranges({"l1", "l3", "l5", "l7", "l9"}) == "l{1,3,5,7,9}");
  CHECK(Ranges({"l1", "l3", "l5", "l7", "l9", "l11", "l13"}) == "l{1,3,5,7,...,13}");
}

TEST_CASE("Numbers keep leading zeros and may exceed any integer type") {
  CHECK(Ranges({"b08", "b09", "b10"}) == "b{08..10}");
  CHECK(Ranges({"b1", "b01", "b2"}) == "b{1,01,2}");
  CHECK(
      Ranges({"99999999999999999999999", "99999999999999999999998", "100000000000000000000000"}) ==
      "{99999999999999999999998..100000000000000000000000}");
}

TEST_CASE("Names may differ in several numbers") {
  CHECK(Ranges({"l0/h0", "l0/h1", "l0/h2", "l1/h0", "l1/h1", "l1/h2"}) == "l{0,1}/h{0..2}");
  CHECK(Ranges({"l3/l3_bias", "l4/l4_bias", "l5/l5_bias"}) == "l{3..5}/l{3..5}_bias");
}

// "0,1,2 3": rows of a group are joined by commas.
std::string Groups(const std::vector<NamedRow>& rows, int64_t min_value = 0) {
  const RowGroups groups = GroupAlike(rows, min_value);
  std::string text;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].empty()) continue;
    if (!text.empty()) text += ' ';
    for (const uint32_t row : groups[i]) {
      if (text.size() > 0 && text.back() != ' ') text += ',';
      text += std::to_string(row);
    }
  }
  return text;
}

TEST_CASE("Three names that differ in one number fold, two do not") {
  CHECK(Groups({{"a_0"}, {"x"}, {"a_1"}, {"a_2"}}) == "0,2,3 1");
  CHECK(Groups({{"a_0"}, {"a_1"}}) == "0 1");
  CHECK(Groups({{"a_0"}, {"a_1"}, {"b_2"}}) == "0 1 2");
  CHECK(Groups({{"a_0_b_0"}, {"a_1_b_1"}, {"a_2_b_2"}}) == "0 1 2");
  CHECK(Groups({}) == "");
}

TEST_CASE("Of several numbers, the one that folds most rows varies") {
  CHECK(Groups({{"s0/l0"}, {"s0/l1"}, {"s0/l2"}, {"s0/l3"}, {"s1/l0"}, {"s2/l0"}}) ==
        "0,1,2,3 4 5");
  CHECK(Groups({{"s0/l0"},
                {"s0/l1"},
                {"s0/l2"},
                {"s1/l0"},
                {"s1/l1"},
                {"s1/l2"},
                {"s2/l0"},
                {"s2/l1"},
                {"s2/l2"}}) == "0,1,2 3,4,5 6,7,8");
}

TEST_CASE("Rows far cheaper than the median do not fold with it") {
  const std::vector<NamedRow> two_sorts = {{"l0", 0, 88}, {"l1", 0, 9},  {"l2", 0, 80},
                                           {"l3", 0, 8},  {"l4", 0, 84}, {"l5", 0, 10},
                                           {"l6", 0, 82}};
  CHECK(Groups(two_sorts) == "0,2,4,6 1,3,5");
  CHECK(Groups({{"l0", 0, 88}, {"l1", 0, 80}, {"l2", 0, 21}, {"l3", 0, 84}}) == "0,1,2,3");
  CHECK(Groups({{"l0", 0, 88}, {"l1", 0, 80}, {"l2", 0, 19}, {"l3", 0, 84}}) == "0,1,3 2");
  CHECK(Groups({{"l0", 0, 88}, {"l1", 0, 80}, {"l2", 0, 0}, {"l3", 0, 1}}) == "0 1 2 3");
  CHECK(Groups(two_sorts, 1000) == "0,1,2,3,4,5,6");  // nothing of it counts
}

TEST_CASE("Rows of another kind do not fold") {
  CHECK(Groups({{"a0", 1}, {"a1", 2}, {"a2", 1}, {"a3", 1}, {"a4", 2}, {"a5", 2}}) ==
        "0,2,3 1,4,5");
}

TEST_CASE("An outlier does not fold") {
  CHECK(Groups({{"a0", 0, 10}, {"a1", 0, 20}, {"a2", 0, 11}, {"a3", 0, 12}}) == "0,1,2,3");
  CHECK(Groups({{"a0", 0, 10}, {"a1", 0, 40}, {"a2", 0, 11}, {"a3", 0, 12}}) == "0,2,3 1");
  CHECK(Groups({{"a0", 0, 10}, {"a1", 0, 40}, {"a2", 0, 11}, {"a3", 0, 12}}, 41) == "0,1,2,3");
  CHECK(Groups({{"a0", 0, 10}, {"a1", 0, 40}, {"a2", 0, 11}}) == "0 1 2");
  CHECK(Groups({{"a0", 0, 0}, {"a1", 0, 0}, {"a2", 0, 0}}) == "0,1,2");
}

}  // namespace
}  // namespace tfprof::alike_names_test
