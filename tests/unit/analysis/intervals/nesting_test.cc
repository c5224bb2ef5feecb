// SPDX-License-Identifier: Apache-2.0
#include "analysis/intervals/nesting.h"

#include <catch2/catch.hpp>

#include "tests/support/store_of.h"

namespace tfprof::nesting_test {
namespace {

// Names of the events around each event, by row; "" where there is none.
std::vector<std::string> Around(const Store& store, const LaneNesting& nesting) {
  std::vector<std::string> names;
  for (const uint32_t parent : nesting.parent) {
    const bool none = parent == kNoRow;
    names.emplace_back(none ? "" : store.Text(store.labels[store.events.label[parent].value].name));
  }
  return names;
}

LaneNesting NestingOf(const Store& store) {
  LaneNesting nesting;
  NestEvents(store, store.lanes[0], &nesting);
  return nesting;
}

}  // namespace

TEST_CASE("nesting: the parent is the innermost enclosing event, in any file order of ties") {
  const StorePtr store = StoreOf({}, {{.node = "inner", .start_us = 100, .us = 5},
                                      {.node = "outer", .start_us = 100, .us = 50},
                                      {.node = "leaf", .start_us = 103, .us = 2},
                                      {.node = "next", .start_us = 105, .us = 45},
                                      {.node = "after", .start_us = 150, .us = 1}});
  const LaneNesting nesting = NestingOf(*store);
  CHECK(Around(*store, nesting) == std::vector<std::string>{"outer", "", "inner", "outer", ""});
  std::vector<int64_t> self_ps;
  SelfTimes(*store, nesting, &self_ps);
  CHECK(self_ps == std::vector<int64_t>{3 * kPsPerUs, 0, 2 * kPsPerUs, 45 * kPsPerUs, kPsPerUs});
}

TEST_CASE("nesting: equal intervals nest in file order, overlaps do not nest") {
  const StorePtr store = StoreOf({}, {{.node = "a", .start_us = 100, .us = 10},
                                      {.node = "b", .start_us = 100, .us = 10},
                                      {.node = "c", .start_us = 105, .us = 10},
                                      {.node = "d", .start_us = 108, .us = 1}});
  CHECK(Around(*store, NestingOf(*store)) == std::vector<std::string>{"", "a", "", "c"});
}

TEST_CASE("nesting: unplaced events are omitted, times at the end of time saturate") {
  const int64_t end = 9'000'000'000'000;
  const StorePtr store = StoreOf({}, {{.node = "a", .start_us = end, .us = end},
                                      {.node = "lost", .start_us = 0, .us = 7},
                                      {.node = "b", .start_us = end, .us = 1}});
  const LaneNesting nesting = NestingOf(*store);
  CHECK(nesting.first == 1);
  CHECK(Around(*store, nesting) == std::vector<std::string>{"", "a"});
}

}  // namespace tfprof::nesting_test
