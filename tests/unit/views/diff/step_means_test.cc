// SPDX-License-Identifier: Apache-2.0
#include "views/diff/step_means.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"

namespace tfprof::step_means_test {
namespace {

struct MarkedStep {
  int64_t marked_us = 0;
  int64_t wall_us = 0;  // until the next one begins
};

StorePtr Marked(const std::vector<MarkedStep>& steps) {
  TestLane lane{.name = "main"};
  int64_t start_ps = 0, number = 0;
  for (const MarkedStep& step : steps) {
    const int64_t ps = step.marked_us * kPsPerUs;
    lane.events.push_back({"train",
                           start_ps,
                           ps,
                           {{"step_number", number},
                            {"root_level", int64_t{1}},
                            {"group", number},
                            {"step_text", "train " + std::to_string(number)}}});
    lane.events.push_back({"MatMul", start_ps, ps, {{"group", number++}}});
    start_ps += step.wall_us * kPsPerUs;
  }
  return TraceOf({{.lanes = {lane}}});
}

StorePtr Before() { return Marked({{40, 100}, {40, 110}, {40, 120}, {40}}); }
StorePtr After() { return Marked({{50, 200}, {50, 210}, {50, 220}, {50}}); }

StepMeans Means(const StorePtr& before, const StorePtr& after, const PlaceFilter& place) {
  Context context;
  const Indexes of_before(before), of_after(after);
  Query query;
  query.place = place;
  return MeansOfSteps({before, of_before, query}, {after, of_after, query}, context).value();
}

}  // namespace

TEST_CASE("the mean steps of two whole traces, and all of them, are by wall time") {
  // 100, 110, 120, 40 and 200, 210, 220, 50 us.
  const StepMeans means = Means(Before(), After(), PlaceFilter::Exact());
  CHECK(means.before_ps == 92'500'000);
  CHECK(means.after_ps == 170'000'000);
  CHECK(means.p == Approx(0.2));  // 7 of 70 orders are as uneven, on either side
}

TEST_CASE("a first step that warms up is in no mean of whole traces") {
  const StepMeans means = Means(Marked({{120, 900}, {40, 100}, {40, 110}, {40, 120}, {40}}),
                                After(), PlaceFilter::Exact());
  CHECK(means.before_ps == 92'500'000);
  CHECK(means.p == Approx(0.2));
}

TEST_CASE("selected steps have their wall time; the original's have that of their markers") {
  PlaceFilter place = PlaceFilter::Exact();
  place.step = 1;
  place.last_step = 2;
  const StepMeans means = Means(Before(), After(), place);
  CHECK(means.before_ps == 115'000'000);
  CHECK(means.after_ps == 215'000'000);
  CHECK(std::isnan(means.p));  // two steps are too few
  const StepMeans original = Means(Before(), After(), {});
  CHECK(original.before_ps == 40'000'000);
  CHECK(original.after_ps == 50'000'000);
}

TEST_CASE("where one side is no trace, both have all of their steps") {
  const StorePtr profile =
      StoreOf({{.name = "a"}}, {{.node = "a", .us = 10}, {.node = "a", .step = 1, .us = 30}});
  const StepMeans means = Means(
      profile, Marked({{120, 900}, {40, 100}, {40, 110}, {40, 120}, {40}}), PlaceFilter::Exact());
  CHECK(means.before_ps == 20'000'000);
  CHECK(means.after_ps == 254'000'000);
  CHECK(Means(profile, StoreOf({{.name = "a"}}), {}).after_ps == kNoInt);
}

}  // namespace tfprof::step_means_test
