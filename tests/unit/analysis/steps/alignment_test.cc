// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/alignment.h"

#include <catch2/catch.hpp>
#include <utility>

#include "tests/support/trace_of.h"

namespace tfprof::alignment_test {
namespace {

HostSteps HostOf(std::initializer_list<std::pair<int64_t, int64_t>> steps) {
  HostSteps host;
  for (const auto& [start_ps, ps] : steps) {
    StepTime step;
    step.start_ps = start_ps;
    step.duration_ps = ps;
    host.steps.push_back(step);
  }
  return host;
}

TEST_CASE("steps of hosts are matched by the shift with the most overlap") {
  Context context;
  const std::vector<HostSteps> hosts{HostOf({{0, 10}, {10, 10}, {20, 10}, {30, 10}}),
                                     HostOf({{11, 10}, {21, 10}, {31, 9}}), HostOf({})};
  const auto common = AlignSteps(hosts, context).value();
  REQUIRE(common.size() == 3);
  CHECK(common[0].number == 0);
  CHECK(common[0].step == std::vector<uint32_t>{1, 0, CommonStep::kNotThere});
  CHECK(common[2].step == std::vector<uint32_t>{3, 2, CommonStep::kNotThere});
  CHECK(SlowestHost(hosts, common[2]) == 0);
}

TEST_CASE("hosts whose steps never overlap are matched from their first steps") {
  Context context;
  const std::vector<HostSteps> hosts{HostOf({{0, 10}, {10, 10}}), HostOf({{100, 9}, {109, 9}})};
  const auto common = AlignSteps(hosts, context).value();
  REQUIRE(common.size() == 2);
  CHECK(common[1].step == std::vector<uint32_t>{1, 1});
}

TEST_CASE("the slowest host of a step is the one with the longest step, the first of equals") {
  const std::vector<HostSteps> hosts{HostOf({{0, 10}}), HostOf({{0, 30}}), HostOf({{0, 30}}),
                                     HostOf({})};
  CHECK(SlowestHost(hosts, {0, {0, 0, 0, CommonStep::kNotThere}}) == 1);
  CHECK(SlowestHost(
            hosts, {0, {0, CommonStep::kNotThere, CommonStep::kNotThere, CommonStep::kNotThere}}) ==
        0);
}

TEST_CASE("of more than five steps the first and the last one are incomplete") {
  std::vector<HostSteps> hosts{HostOf({{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}}),
                               HostOf({{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}})};
  DropIncomplete(&hosts);
  CHECK(hosts[0].steps.size() == 5);
  REQUIRE(hosts[1].steps.size() == 4);
  CHECK(hosts[1].steps[0].start_ps == 1);
}

// The hosts number their common steps {2, 2, 1}, {3, 3, 2}, {4, 4, 3}.
std::vector<int64_t> StepsTaken(const PlaceFilter& place) {
  std::vector<HostSteps> hosts(3, HostOf({{0, 10}, {10, 10}, {20, 10}}));
  for (size_t host = 0; host < 3; ++host) {
    for (size_t i = 0; i < 3; ++i) {
      hosts[host].steps[i].number = static_cast<int64_t>(i + (host < 2 ? 2 : 1));
    }
  }
  const std::vector<CommonStep> common{{0, {0, 0, 0}}, {1, {1, 1, 1}}, {2, {2, 2, 2}}};
  const StorePtr trace = TraceOf({{.lanes = {{"main", {{"a", 0, 1}}}}}});
  std::vector<int64_t> numbers;
  const auto taken = SelectedSteps(*trace, hosts, common, place);
  if (!taken) return numbers;
  for (const CommonStep& step : taken.value()) numbers.push_back(step.number);
  return numbers;
}

TEST_CASE("-step selects the common step to which most hosts give that number") {
  CHECK(StepsTaken({.step = 2}) == std::vector<int64_t>{0});  // not 1, too, which one host calls 2
  CHECK(StepsTaken({.step = 3}) == std::vector<int64_t>{1});
  CHECK(StepsTaken({.step = 1}) == std::vector<int64_t>{0});  // a number of one host
  CHECK(StepsTaken({.step = 3, .last_step = 4}) == std::vector<int64_t>{1, 2});
  CHECK(StepsTaken({.step = 9}).empty());
  CHECK(StepsTaken({}).size() == 3);
}

}  // namespace
}  // namespace tfprof::alignment_test
