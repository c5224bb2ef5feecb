// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"

#include <catch2/catch.hpp>
#include <vector>

namespace tfprof {
namespace {

const std::vector<std::string_view> kWords{"scope", "graph", "op", "summary", "accelerator_micros"};

TEST_CASE("one or two slips are forgiven, in any case") {
  CHECK(Nearest("sumary", kWords) == "summary");
  CHECK(Nearest("SCOEP", kWords) == "scope");
  CHECK(Nearest("grpah", kWords) == "graph");
  CHECK(Nearest("grrph", kWords) == "graph");
  CHECK(Nearest("opp", kWords) == "op");
}

TEST_CASE("the only word with that beginning is meant") {
  CHECK(Nearest("accel", kWords) == "accelerator_micros");
  CHECK(Nearest("s", kWords).empty());  // scope or summary
}

TEST_CASE("two slips are none in a word that they make another one of") {
  const std::vector<std::string_view> words{"focus", "filters"};
  CHECK(Nearest("bogus", words).empty());
  CHECK(Nearest("focsu", words) == "focus");
  CHECK(Nearest("filtres", words) == "filters");
  CHECK(Nearest("fltrs", words) == "filters");
}

TEST_CASE("nothing near gives nothing") {
  CHECK(Nearest("quit", kWords).empty());
  CHECK(Nearest("", kWords).empty());
  CHECK(Nearest("xy", kWords).empty());  // two slips would turn any word into op
  CHECK(Nearest(std::string(100000, 'x'), kWords).empty());
  CHECK(Nearest("op", {}).empty());
}

}  // namespace
}  // namespace tfprof
