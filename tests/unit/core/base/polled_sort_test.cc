// SPDX-License-Identifier: Apache-2.0
#include "core/base/sorting.h"

#include <catch2/catch.hpp>
#include <random>
#include <utility>

namespace tfprof::polled_sort_test {
namespace {

using Item = std::pair<int, size_t>;  // what is sorted by, and where it was

std::vector<Item> RandomItems(size_t count, int max) {
  std::mt19937 random(static_cast<uint32_t>(count));
  std::uniform_int_distribution<int> key(0, max);
  std::vector<Item> items;
  for (size_t i = 0; i < count; ++i) items.emplace_back(key(random), i);
  return items;
}

bool Before(const Item& a, const Item& b) { return a.first < b.first; }

}  // namespace

TEST_CASE("polled sort: the order is that of std::stable_sort, for any number of rows") {
  for (const size_t count : {0, 1, 2, 1000, 1 << 15, (1 << 15) + 1, 100'000, 300'001}) {
    for (const int max : {0, 10, 1'000'000}) {
      std::vector<Item> items = RandomItems(count, max);
      std::vector<Item> expected = items;
      std::stable_sort(expected.begin(), expected.end(), Before);
      Context context;
      REQUIRE(PolledSort(std::span(items), Before, context));
      CHECK(items == expected);
      std::vector<Item> again = items;
      REQUIRE(PolledSort(std::span(again), Before, context));
      CHECK(again == expected);
    }
  }
}

TEST_CASE("polled sort: it can be cancelled, even while merging") {
  int64_t polls = 0;
  for (;; ++polls) {
    std::vector<Item> items = RandomItems(200'000, 1'000'000);
    Context context;
    context.polls_until_cancel = polls;
    const Result<void> sorted = PolledSort(std::span(items), Before, context);
    if (sorted) break;
    CHECK(sorted.error().kind == ErrorKind::cancelled);
  }
  CHECK(polls > 200'000 / (1 << 15) + 10);
}

}  // namespace tfprof::polled_sort_test
