// SPDX-License-Identifier: Apache-2.0
#include "analysis/intervals/start_order.h"

#include <catch2/catch.hpp>
#include <limits>
#include <random>

namespace tfprof::start_order_test {
namespace {

struct Row {
  int64_t start_ps;
  uint32_t place;

  bool operator==(const Row&) const = default;
};

std::vector<Row> Sorted(std::vector<Row> rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.start_ps < b.start_ps; });
  return rows;
}

}  // namespace

TEST_CASE("rows are sorted by any number, and equal rows keep their order") {
  std::mt19937_64 random(7);
  const int64_t max = std::numeric_limits<int64_t>::max();
  for (const int64_t width : {int64_t{3}, int64_t{1} << 40, max}) {
    INFO(width);
    std::vector<Row> rows, by_negative;
    for (uint32_t i = 0; i < 2000; ++i) {
      const int64_t number = static_cast<int64_t>(random() % static_cast<uint64_t>(width));
      rows.push_back({i % 2 == 0 ? number : -number, i});
      by_negative.push_back({-rows.back().start_ps, i});
    }
    const std::vector<Row> expected = Sorted(rows);
    StartOrder order;
    order.SortBy(std::span(by_negative), [](const Row& row) { return -row.start_ps; });
    for (Row& row : by_negative) row.start_ps = -row.start_ps;
    CHECK(by_negative == expected);
    order.Sort(std::span(rows));
    CHECK(rows == expected);
  }
}

}  // namespace tfprof::start_order_test
