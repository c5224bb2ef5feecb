// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/base/sorting.h"

namespace tfprof::percentile_test {
namespace {

// By sorting all values.
double BruteForce(std::vector<int64_t> values, unsigned percent) {
  std::sort(values.begin(), values.end());
  const double rank = static_cast<double>(values.size() - 1) * percent / 100;
  const auto lower = static_cast<size_t>(rank);
  const size_t upper = std::min(lower + 1, values.size() - 1);
  const auto low = static_cast<double>(values[lower]), high = static_cast<double>(values[upper]);
  return low + (high - low) * (rank - static_cast<double>(lower));
}

int64_t PercentileOf(std::vector<int64_t> values, unsigned percent) {
  return Percentile(std::span(values), percent);
}

}  // namespace

TEST_CASE("a percentile lies between the two nearest values in order") {
  CHECK(PercentileOf({7}, 50) == 7);
  CHECK(PercentileOf({7}, 95) == 7);
  CHECK(PercentileOf({30, 10}, 50) == 20);
  CHECK(PercentileOf({4, 1, 3, 2}, 50) == 2);  // 2.5
  CHECK(PercentileOf({100, 0}, 95) == 95);
  CHECK(PercentileOf({5, 1, 9}, 0) == 1);
  CHECK(PercentileOf({5, 1, 9}, 100) == 9);
  std::vector<double> reals = {4, 1, 3, 2};
  CHECK(Percentile(std::span(reals), 50) == 2.5);
  CHECK(Median(std::vector<int64_t>{9, 1, 5}) == 5);
}

TEST_CASE("percentiles are those of a sort") {
  std::mt19937 random(7);
  for (size_t count = 1; count < 200; ++count) {
    std::vector<int64_t> values;
    for (size_t i = 0; i < count; ++i) values.push_back(static_cast<int64_t>(random() % 1000));
    for (const unsigned percent : {5u, 50u, 90u, 95u, 99u}) {
      INFO(count << " values, " << percent);
      const double expected = BruteForce(values, percent);
      const auto found = static_cast<double>(PercentileOf(values, percent));
      CHECK(found <= expected + 1e-9);
      CHECK(found > expected - 1);
    }
  }
}

}  // namespace tfprof::percentile_test
