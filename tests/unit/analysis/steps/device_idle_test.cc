// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/device_idle.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/trace_of.h"
#include "views/views.h"

namespace tfprof::device_idle_test {
namespace {

TestEvent Kernel(int64_t start_ps, int64_t ps, int64_t group) {
  return {"k", start_ps, ps, {{"group", group}, {"correlation", start_ps}}};
}

std::vector<DeviceIdle> IdleIn(const StorePtr& store, const PlaceFilter& place = {}) {
  Context context;
  return IdleOfDevices(*store, Indexes(store), place, context).value();
}

// A GPU with two steps, 0 to 100 and 1000 to 1200, and another one that does less in the first.
StorePtr TwoGpus() {
  return TraceOf(
      {{.name = "/device:GPU:0",
        .lanes = {{.name = "Stream #1",
                   .events = {Kernel(0, 30, 0), Kernel(60, 40, 0), Kernel(1000, 50, 1)}},
                  {.name = "Stream #2", .events = {Kernel(20, 20, 0), Kernel(1150, 50, 1)}}}},
       {.name = "/device:GPU:1", .lanes = {{.events = {Kernel(10, 10, 0)}}}},
       {.name = "/device:GPU:2"}});
}

}  // namespace

TEST_CASE("a device is idle within the steps of its host, not between them") {
  const auto idle = IdleIn(TwoGpus());
  CHECK(idle[0].within == IdleWithin::steps);
  CHECK(idle[0].within_ps == 300);
  CHECK(idle[0].idle_ps == 20 + 100);
  CHECK(idle[1].within_ps == 300);
  CHECK(idle[1].idle_ps == 290);
  CHECK(idle[2].idle_ps == kNoInt);  // nothing ever ran
}

TEST_CASE("idle time of one step lies within that step") {
  const auto idle = IdleIn(TwoGpus(), {.step = 1});
  CHECK(idle[0].within_ps == 200);
  CHECK(idle[0].idle_ps == 100);
}

TEST_CASE("without steps, idle time covers the host's whole recording") {
  const auto idle = IdleIn(
      TraceOf({{.lanes = {{.name = "main", .events = {{"work", 0, 50}, {"work", 900, 100}}}}},
               {.name = "/device:GPU:0", .lanes = {{.events = {{"k", 100, 300}, {"k", 200, 250}}}}},
               {.lanes = {{.name = "main", .events = {{"work", 5000, 1}}}}, .host = "other"}}));
  CHECK(idle[1].within == IdleWithin::capture);
  CHECK(idle[1].within_ps == 1000);
  CHECK(idle[1].idle_ps == 650);
}

TEST_CASE("where steps are inferred, idle time lies between the first and the last work") {
  std::vector<TestEvent> main{{"imports", 0, 50'000}}, stream;
  for (int64_t run = 0; run < 4; ++run) {
    main.push_back({"PjitFunction(step)", 100'000 + 1000 * run, 10, {{"correlation", run}}});
    stream.push_back(Kernel(100'100 + 1000 * run, 300, 0));
    stream.back().details = {{"correlation", run}};
  }
  const StorePtr store =
      TraceOf({{.lanes = {{.name = "main", .events = main}}},
               {.name = "/device:GPU:0", .lanes = {{.name = "Stream #1", .events = stream}}}});
  const auto inferred = IdleIn(store, PlaceFilter::Exact());
  CHECK(inferred[1].within == IdleWithin::work);
  CHECK(inferred[1].within_ps == 3300);
  CHECK(inferred[1].idle_ps == 3 * 700);
  const auto original = IdleIn(store);
  CHECK(original[1].within == IdleWithin::capture);
  CHECK(original[1].within_ps == 103'400);
}

TEST_CASE("planes and summary report the same idle time of devices") {
  const StorePtr store = TwoGpus();
  const Indexes indexes(store);
  Context context;
  const Report planes = Planes(store, indexes, {}, context).value();
  CHECK(planes.tables.at(2).Find("idle_us")->integers == std::vector<int64_t>{120, 290, kNoInt});
  const Report summary = Summary(store, indexes, {}, context).value();
  const auto idle = std::ranges::find(summary.tables, "idle", &Table::name);
  REQUIRE(idle != summary.tables.end());
  CHECK(idle->Find("device")->texts[0] == "/device:GPU:0");
  CHECK(idle->Find("duration_us")->integers == std::vector<int64_t>{300, 300});
  CHECK(idle->Find("idle_us")->integers == std::vector<int64_t>{120, 290});
  CHECK(idle->Find("idle_pct")->reals[0] == 0.4);  // as a fraction: emitters print percent
}

TEST_CASE("a device's own line of steps wins; without one, those of the others") {
  const auto gpu = [](const std::string& name, int64_t kernel_ps, std::vector<TestEvent> steps) {
    std::vector<TestLane> lanes{{.name = "Stream #1", .events = {{"k", kernel_ps, 10}}}};
    if (!steps.empty()) {
      lanes.push_back({.name = "Steps", .events = steps, .role = LaneRole::steps, .derived = true});
    }
    return TestProcess{.name = name, .lanes = lanes};
  };
  const auto idle = IdleIn(
      TraceOf({gpu("/device:GPU:0", 100, {{"0", 100, 50}}),
               gpu("/device:GPU:1", 200, {{"0", 200, 100}}), gpu("/device:GPU:2", 900, {})}));
  CHECK(idle[0].within_ps == 50);
  CHECK(idle[0].idle_ps == 40);
  CHECK(idle[1].idle_ps == 90);
  CHECK(idle[2].within_ps == 150);
  CHECK(idle[2].idle_ps == 150);
}

}  // namespace tfprof::device_idle_test
