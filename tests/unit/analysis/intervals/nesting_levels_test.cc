// SPDX-License-Identifier: Apache-2.0
#include "analysis/intervals/nesting_levels.h"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

namespace tfprof::nesting_levels_test {
namespace {

std::vector<uint32_t> LevelsOf(const std::vector<std::pair<int64_t, int64_t>>& intervals) {
  NestingLevels levels;
  std::vector<uint32_t> of;
  for (const auto& [start, end] : intervals) of.push_back(levels.Place(start, end));
  return of;
}

}  // namespace

TEST_CASE("nesting levels: intervals that nest or follow each other are on level 0") {
  CHECK(LevelsOf({{0, 10}, {0, 5}, {5, 10}, {6, 6}, {10, 12}}) ==
        std::vector<uint32_t>{0, 0, 0, 0, 0});
}

TEST_CASE("nesting levels: an interval that outlasts one around its start is on the next level") {
  CHECK(LevelsOf({{0, 10}, {5, 15}, {8, 20}, {9, 12}, {9, 10}, {15, 18}}) ==
        std::vector<uint32_t>{0, 1, 2, 1, 0, 0});
}

TEST_CASE("nesting levels: any number of intervals may overlap") {
  NestingLevels levels;
  for (uint32_t i = 0; i < 1000; ++i) CHECK(levels.Place(i, 2000 + i) == i);
  CHECK(levels.Place(2000, 2100) == 0);
  CHECK(levels.Place(2050, 3000) == 1);
}

}  // namespace tfprof::nesting_levels_test
