// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/step_selection.h"

#include <catch2/catch.hpp>

namespace tfprof::step_selection_test {
namespace {

Error ErrorOf(int64_t step, int64_t last_step, const std::vector<int64_t>& numbers,
              std::string_view where = {}) {
  Query query;
  query.place.step = step;
  query.place.last_step = last_step;
  return NoSuchStep(query.place, numbers, where).value();
}

}  // namespace

TEST_CASE("consecutive step numbers are listed as ranges") {
  CHECK(DescribeSteps({}) == "no step was recorded");
  CHECK(DescribeSteps({7}) == "only step 7 was recorded");
  CHECK(DescribeSteps({0, 1, 2}) == "only steps 0 to 2 were recorded");
  CHECK(DescribeSteps({0, 1, 2, 5, 8, 9}) == "only steps 0 to 2, 5, 8 to 9 were recorded");
}

TEST_CASE("an unknown step is reported with its owner and, among many, the nearest steps") {
  CHECK(ErrorOf(5, -1, {3}, "in the base").what == "no step 5 in the base");
  CHECK(ErrorOf(5, 9, {3}).what == "no step 5:9");
  CHECK(ErrorOf(5, 9, {3}).hint == "only step 3 was recorded");
  CHECK(ErrorOf(5, -1, {}).kind == ErrorKind::usage);
  const std::vector<int64_t> every_tenth{0, 10, 20, 30, 40, 50, 60, 70, 80, 90};
  CHECK(ErrorOf(12, -1, every_tenth).hint ==
        "10 steps from 0 to 90 were recorded; the nearest are 10 and 20");
  CHECK(ErrorOf(12, 14, every_tenth).hint ==
        "10 steps from 0 to 90 were recorded; the nearest are 10 and 20");
  CHECK(ErrorOf(95, -1, every_tenth).hint ==
        "10 steps from 0 to 90 were recorded; the nearest is 90");
}

TEST_CASE("an unknown step at a place mentions that other places may have steps") {
  Query query;
  query.place.step = 1;
  query.place.device = "CPU";
  CHECK(NoSuchStep(query.place, {}).value().remedy == Remedy::other_place);
}

}  // namespace tfprof::step_selection_test
