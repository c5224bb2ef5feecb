// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"

#include <catch2/catch.hpp>
#include <vector>

namespace tfprof::nearest_test {
namespace {

const std::vector<std::string_view> kWords{"scope", "graph", "op", "summary", "accelerator_micros"};

TEST_CASE("one or two typing errors are corrected, in any case") {
  CHECK(Nearest("sumary", kWords) == "summary");
  CHECK(Nearest("SCOEP", kWords) == "scope");
  CHECK(Nearest("grpah", kWords) == "graph");
  CHECK(Nearest("grrph", kWords) == "graph");
  CHECK(Nearest("opp", kWords) == "op");
}

TEST_CASE("the only word with a prefix is suggested") {
  CHECK(Nearest("accel", kWords) == "accelerator_micros");
  CHECK(Nearest("s", kWords).empty());  // scope or summary
}

TEST_CASE("two errors that turn a word into another one are not corrected") {
  const std::vector<std::string_view> words{"focus", "filters"};
  CHECK(Nearest("bogus", words).empty());
  CHECK(Nearest("focsu", words) == "focus");
  CHECK(Nearest("filtres", words) == "filters");
  CHECK(Nearest("fltrs", words) == "filters");
}

TEST_CASE("common words stand for attributes and options") {
  const std::vector<std::string_view> options{"n", "order_by", "max_depth", "where"};
  CHECK(DidYouMean("limit", options) == "n");
  CHECK(DidYouMean("count", options) == "n");
  CHECK(DidYouMean("sort", options) == "order_by");
  CHECK(DidYouMean("depth", options) == "max_depth");
  CHECK(DidYouMean("count", {"occurrence", "micros"}) == "occurrence");
  CHECK(DidYouMean("wher", options) == "where");
}

TEST_CASE("without a near word there is no suggestion") {
  CHECK(Nearest("quit", kWords).empty());
  CHECK(Nearest("", kWords).empty());
  CHECK(Nearest("xy", kWords).empty());  // two slips would turn any word into op
  CHECK(Nearest(std::string(100000, 'x'), kWords).empty());
  CHECK(Nearest("op", {}).empty());
}

}  // namespace
}  // namespace tfprof::nearest_test
