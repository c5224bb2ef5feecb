// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "analysis/steps/step_table.h"
#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"
#include "views/steps/slow_host.h"

namespace tfprof::steps_test {
namespace {

StepTables RecordedIn(const StorePtr& store) {
  Context context;
  const Indexes indexes(store);
  return RecordedSteps(*store, indexes, {}, context).value();
}

}  // namespace

TEST_CASE("recorded steps: overlapping records are busy once, gaps name the event that ends them") {
  const StepTables tables = RecordedIn(StoreOf({{.name = "a"}, {.name = "b"}, {.name = "c"}},
                                               {{.node = "a", .start_us = 1000, .us = 30},
                                                {.node = "b", .start_us = 1010, .us = 5},
                                                {.node = "a", .start_us = 1020, .us = 20},
                                                {.node = "c", .start_us = 1100, .us = 10},
                                                {.node = "b", .start_us = 1115, .us = 5},
                                                {.node = "b", .start_us = 0, .us = 50}}));
  REQUIRE(tables.devices.size() == 1);
  const DeviceStep& row = tables.devices[0];
  CHECK(row.records == 6);
  CHECK(row.unplaced == 1);
  CHECK(row.time_ps == 70 * kPsPerUs);
  CHECK(row.busy_ps == 55 * kPsPerUs);
  CHECK(row.step_ps == 120 * kPsPerUs);
  CHECK(row.IdlePs() == 65 * kPsPerUs);
  CHECK(row.gaps == 2);
  CHECK(row.longest_gap_ps == 60 * kPsPerUs);
}

TEST_CASE("recorded steps: steps that alternate on a lane are separate") {
  const StepTables tables =
      RecordedIn(StoreOf({{.name = "a"}}, {{.node = "a", .step = 0, .start_us = 1000, .us = 10},
                                           {.node = "a", .step = 1, .start_us = 1020, .us = 10},
                                           {.node = "a", .step = 0, .start_us = 1040, .us = 10}}));
  REQUIRE(tables.devices.size() == 2);
  CHECK(tables.devices[0].busy_ps == 20 * kPsPerUs);
  CHECK(tables.devices[0].longest_gap_ps == 30 * kPsPerUs);
  CHECK(tables.devices[1].gaps == 0);
  CHECK(tables.steps[0].SpanPs() == 50 * kPsPerUs);
}

TEST_CASE("recorded steps: a saved profile keeps what nodes did on accelerators and one executor") {
  const StorePtr store =
      StoreOf({{.name = "a"}},
              {{.node = "", .start_us = 990, .us = 5},
               {.node = "a", .device = "/device:cpu:0", .start_us = 1000, .us = 30},
               {.node = "a", .device = "/device:cpu:1", .start_us = 1000, .us = 110},
               {.node = "a", .device = "/device:gpu:0/stream:all", .start_us = 1010, .us = 40}});
  Context context;
  const Indexes indexes(store);
  const auto span_ps = [&](const PlaceFilter& place) {
    return RecordedSteps(*store, indexes, place, context).value().steps.at(0).SpanPs();
  };
  CHECK(span_ps({}) == (1110 - 990) * kPsPerUs);
  CHECK(span_ps({.exact = true, .whole_us = true}) == (1050 - 1000) * kPsPerUs);
}

TEST_CASE("recorded steps: times at the end of time saturate") {
  const StepTables tables = RecordedIn(StoreOf(
      {{.name = "a"}}, {{.node = "a", .start_us = -9'000'000'000'000, .us = 1},
                        {.node = "a", .start_us = 9'000'000'000'000, .us = 9'000'000'000'000}}));
  REQUIRE(tables.devices.size() == 1);
  CHECK(tables.devices[0].step_ps == kMaxPs);
  CHECK(tables.devices[0].IdlePs() >= 0);
}

TEST_CASE("steps: one row per step, one per step and device; unplaced records have no time") {
  const StorePtr store = StoreOf(
      {{.name = "a"}},
      {{.node = "a", .step = 0, .start_us = 1000, .us = 30},
       {.node = "a", .step = 0, .device = "/device:gpu:0/stream:all", .start_us = 1010, .us = 40},
       {.node = "a", .step = 4, .start_us = 2000, .us = 10},
       {.node = "a", .step = 5, .start_us = 0, .us = 10}});
  Context context;
  const Indexes indexes(store);
  const Report report = Steps(store, indexes, {}, context).value();
  const Table& steps = report.tables.at(0);
  REQUIRE(steps.rows == 3);
  CHECK(steps.Find("step")->integers == std::vector<int64_t>{0, 4, 5});
  CHECK(steps.Find("duration_ps")->integers ==
        std::vector<int64_t>{50 * kPsPerUs, 10 * kPsPerUs, kNoInt});
  CHECK(steps.Find("start_ps")->integers == std::vector<int64_t>{0, 1000 * kPsPerUs, kNoInt});
  CHECK(steps.Find("cpu_ps")->Integer(0) == 30 * kPsPerUs);
  CHECK(steps.Find("accelerator_ps")->Integer(0) == 40 * kPsPerUs);
  CHECK(steps.Find("accelerator_ps")->Integer(1) == kNoInt);
  CHECK(steps.Find("cpu_ps")->Integer(2) == kNoInt);
  const Table& devices = report.tables.at(1);
  REQUIRE(devices.rows == 4);
  CHECK(devices.Find("busy_ps")->Integer(1) == 40 * kPsPerUs);
  CHECK(devices.Find("busy_ps")->Integer(3) == kNoInt);
  CHECK(devices.Find("idle_ps")->Integer(0) == 20 * kPsPerUs);  // the rest of the step
  CHECK(devices.Find("longest_gap_ps")->Integer(0) == 20 * kPsPerUs);
  CHECK(devices.Find("gap_before")->texts.at(0) == "the end of the step");
  CHECK(devices.Find("longest_gap_ps")->Integer(1) == 10 * kPsPerUs);
  CHECK(devices.Find("gap_before")->texts.at(1) == "a");
  CHECK(devices.Find("longest_gap_ps")->Integer(2) == kNoInt);
  CHECK(report.Find("duration_mean_ps")->integer == 30 * kPsPerUs);
  CHECK(report.Find("duration_max_ps")->integer == 50 * kPsPerUs);
}

TEST_CASE("steps: readers see the short name of the kernel that ended the longest gap") {
  const std::string kernel = "void ns::f<4, ns::add>(int)";
  const auto launched = [](const std::string& name, int64_t start_us, int64_t correlation) {
    TestEvent event = TestKernel(name, start_us * 1000, 10'000, "a/Add:Add");
    event.details["correlation"] = correlation;
    return event;
  };
  const auto launch = [](int64_t start_us, int64_t correlation) {
    return TestEvent{
        "cuLaunchKernel", start_us * kPsPerUs, kPsPerUs, {{"correlation", correlation}}};
  };
  const TestDetails marks{{"step_number", int64_t{1}}, {"root_level", int64_t{1}}};
  const StorePtr trace = TraceOf(
      {{.lanes = {{"main", {{"train", 0, 100 * kPsPerUs, marks}, launch(1, 1), launch(5, 2)}}}},
       {.name = "/device:GPU:0",
        .lanes = {{"Stream", {launched("first", 10, 1), launched(kernel, 40, 2)}}}}});
  Context context;
  const Indexes indexes(trace);
  Query query;
  query.place.exact = true;
  const Report report = Steps(trace, indexes, query, context).value();
  const Table& devices = report.tables.at(1);
  const auto row = std::ranges::find(devices.Find("device")->texts, "/device:GPU:0") -
                   devices.Find("device")->texts.begin();
  REQUIRE(static_cast<size_t>(row) < devices.rows);
  CHECK(devices.Find("gap_before")->texts[static_cast<size_t>(row)] == kernel);
  CHECK(devices.Find("short_gap_before")->texts[static_cast<size_t>(row)] == "f<4>");
}

TEST_CASE("steps: a profile without steps explains how to record one") {
  const StorePtr store = StoreOf({{.name = "a"}});
  Context context;
  const Indexes indexes(store);
  const Report report = Steps(store, indexes, {}, context).value();
  CHECK(report.tables.at(0).rows == 0);
  REQUIRE(report.notes.size() == 1);
  CHECK(report.Find("duration_mean_ps") == nullptr);
}

TEST_CASE("hosts without common steps are compared by the wall time of all of their steps") {
  const auto of = [](int64_t wall_ps) {
    HostSteps host;
    for (int64_t i = 0; i < 3; ++i) {
      host.steps.push_back({.start_ps = 1000 * i, .duration_ps = 10, .wall_ps = wall_ps + i});
    }
    host.steps.push_back({.start_ps = 3000, .duration_ps = 10});  // none follows
    return host;
  };
  StepAnswer steps;
  steps.hosts = {of(100), of(50)};
  const SlowHost slow = FindSlowHost(steps);
  REQUIRE(slow.host == &steps.hosts[0]);
  CHECK(slow.mean_ps == 101);
  CHECK(slow.others_ps == 51);
  CHECK(slow.longest.wall_ps == 102);
  CHECK_FALSE(slow.in_step);
}

TEST_CASE("a common step that is the last of any host is not compared") {
  const auto of = [](std::vector<int64_t> walls_ps) {
    HostSteps host;
    for (const int64_t wall_ps : walls_ps) host.steps.push_back({.wall_ps = wall_ps});
    return host;
  };
  StepAnswer steps;
  steps.hosts = {of({100, 100, 700}), of({100, 100, kNoInt})};
  steps.common = {{0, {0, 0}}, {1, {1, 1}}, {2, {2, 2}}};
  CHECK(FindSlowHost(steps).host == nullptr);
  steps.hosts[1].steps[2].wall_ps = 100;
  CHECK(FindSlowHost(steps).mean_ps == 300);
}

}  // namespace tfprof::steps_test
