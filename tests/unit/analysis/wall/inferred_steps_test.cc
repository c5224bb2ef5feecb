// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/inferred_steps.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "analysis/chosen_events.h"
#include "analysis/steps/step_table.h"
#include "analysis/wall/loop/steps.h"
#include "tests/support/trace_of.h"

namespace tfprof::inferred_steps_test {
namespace {

constexpr int64_t kUs = 1'000'000;  // ps

TestEvent Call(int64_t start_us, int64_t us, int64_t correlation) {
  return {"PjitFunction(step)", start_us * kUs, us * kUs, {{"correlation", correlation}}};
}

// Every 50 us a program starts on the host and runs for 20 us on another thread.
StorePtr OnHost() {
  std::vector<TestEvent> main, pool;
  for (int64_t run = 0; run < 4; ++run) {
    main.push_back({"PjitFunction(step)", 50 * run * kUs, kUs});
    pool.push_back({"dot.1",
                    (50 * run + 1) * kUs,
                    20 * kUs,
                    {{"instruction", std::string("dot.1")},
                     {"module", std::string("jit_step")},
                     {"program_run", run}}});
  }
  return TraceOf({{.lanes = {{.name = "main", .events = main}, {.name = "pool", .events = pool}}}});
}

// Every 50 us a call launches a kernel that runs for 30 us, 60 us after the call.
StorePtr OnDevice() {
  std::vector<TestEvent> main, stream;
  for (int64_t run = 0; run < 4; ++run) {
    main.push_back(Call(50 * run, 5, run));
    stream.push_back(TestKernel("gemm", 50'000 * run + 60'000, 30'000, "m:MatMul"));
    stream.back().details["correlation"] = run;
  }
  return TraceOf({{.lanes = {{.name = "main", .events = main}}},
                  {.name = "/device:GPU:0", .lanes = {{.name = "Stream #1", .events = stream}}}});
}

}  // namespace

TEST_CASE("a trace without markers has inferred steps, but for the original accounting") {
  const StorePtr store = OnHost();
  const Indexes indexes(store);
  Context context;
  CHECK(StepTablesOf(*store, indexes, {}, StepPlanes::all, context).value().steps.empty());
  const StepTables tables =
      StepTablesOf(*store, indexes, PlaceFilter::Exact(), StepPlanes::all, context).value();
  REQUIRE(tables.steps.size() == 3);  // from start to start
  for (size_t i = 0; i < 3; ++i) {
    CHECK(tables.steps[i].number == static_cast<int64_t>(i));
    CHECK(tables.steps[i].origin == StepOrigin::inferred);
    CHECK(tables.steps[i].SpanPs() == 50 * kUs);
  }
  CHECK(tables.hosts[0].inferred_from == "jit_step");
  REQUIRE(tables.devices.size() == 3);
  CHECK(tables.devices[0].records == 2);  // a program, and the next call, which starts before it
  CHECK(tables.devices[0].busy_ps == 21 * kUs);
  CHECK(tables.devices[0].IdlePs() == 29 * kUs);
}

// Calls of functions, each until the next one; the names are letters.
std::vector<StepRow> StepsOfCalls(std::string_view letters, const std::vector<int64_t>& lasts_us) {
  std::vector<TestEvent> main;
  int64_t at_us = 0;
  for (size_t i = 0; i < letters.size(); ++i) {
    const int64_t us = lasts_us[i % lasts_us.size()];
    main.push_back({"PjitFunction(f" + std::string(1, letters[i]) + ")", at_us * kUs, us * kUs});
    at_us += us;
  }
  const StorePtr store = TraceOf({{.lanes = {{.name = "main", .events = main}}}});
  const Indexes indexes(store);
  Context context;
  return StepTablesOf(*store, indexes, PlaceFilter::Exact(), StepPlanes::all, context)
      .value()
      .steps;
}

TEST_CASE("a loop of single operations: a step is one repetition of all of them") {
  const auto steps = StepsOfCalls("aababaababaabab", {90, 10, 2, 10, 5});
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].SpanPs() == 117 * kUs);
  CHECK(steps[1].start_ps == 117 * kUs);
}

TEST_CASE("steps of about equal length are single calls, whatever else repeats") {
  // An evaluation after every three steps, and a first step that lasts longer.
  const auto steps = StepsOfCalls("aaabaaabaaabaaab", {20, 20, 20, 5});
  REQUIRE(steps.size() == 11);
  CHECK(steps[0].SpanPs() == 20 * kUs);
  CHECK(steps[2].SpanPs() == 25 * kUs);
}

TEST_CASE("without a sequence that repeats three times, single calls are steps") {
  const auto steps = StepsOfCalls("aacabaabac", {90, 10, 2, 10, 5});
  CHECK(steps.size() == 5);
}

// The host starts four programs of 100 us within 20 us and then waits for nothing.
StorePtr HostAhead(DeviceKind device) {
  std::vector<TestEvent> main, runs, work;
  for (int64_t run = 0; run < 4; ++run) {
    const int64_t at_us = 10 + 100 * run;
    const TestDetails of{{"instruction", std::string("dot.1")},
                         {"module", std::string("jit_step")},
                         {"program", int64_t{7}},
                         {"correlation", run},
                         {"work", int64_t{0}}};
    main.push_back({"PjitFunction(step)", 5 * run * kUs, 4 * kUs});
    main.push_back({"jit_step:XLA GPU module", (5 * run + 1) * kUs, 3 * kUs});
    main.push_back({"dot.1", (5 * run + 2) * kUs, kUs});
    main.push_back({"launch", (5 * run + 2) * kUs + 10, 10, {{"correlation", run}}});
    runs.push_back({"jit_step(7)", at_us * kUs, 100 * kUs});
    work.push_back({"dot.1", at_us * kUs, 90 * kUs, of});
  }
  const bool is_gpu = device == DeviceKind::gpu;
  std::vector<TestLane> lanes{
      {.name = "Stream #1", .events = work, .role = is_gpu ? LaneRole::other : LaneRole::ops}};
  if (!is_gpu) {
    lanes.push_back({.name = "XLA Modules", .events = runs, .role = LaneRole::modules});
  }
  return TraceOf(
      {{.lanes = {{.name = "main", .events = main}}},
       {.name = is_gpu ? "/device:GPU:0" : "/device:TPU:0", .lanes = lanes, .device = device}});
}

TEST_CASE("where the host is ahead of a device, steps are executions on the device") {
  for (const DeviceKind device : {DeviceKind::gpu, DeviceKind::tpu}) {
    INFO("a TPU: " << (device == DeviceKind::tpu));
    const StorePtr store = HostAhead(device);
    const Indexes indexes(store);
    Context context;
    const StepTables tables =
        StepTablesOf(*store, indexes, PlaceFilter::Exact(), StepPlanes::all, context).value();
    CHECK(tables.hosts[0].inferred_from == "jit_step");
    REQUIRE(tables.steps.size() == 4);
    CHECK(tables.steps[0].start_ps == 10 * kUs);
    CHECK(tables.steps[2].SpanPs() == 100 * kUs);
    const auto of_device = std::ranges::find_if(
        tables.devices, [](const DeviceStep& row) { return row.process == ProcessId(1); });
    REQUIRE(of_device != tables.devices.end());
    CHECK(of_device->busy_ps == 90 * kUs);  // its own, not that of all launches until then
  }
}

TEST_CASE("a host is ahead if the last program begins more than a step after its call") {
  WallSteps of_host{.of = "step"};
  for (int64_t i = 0; i < 3; ++i) {
    of_host.steps.push_back({100 * i, 100 * (i + 1)});
    of_host.numbers.push_back(i);
  }
  of_host.window = {0, 300};  // the last call
  const auto runs = [](int64_t late, int64_t last) {
    return std::vector<Interval>{{late, late + 90},
                                 {late + 100, late + 190},
                                 {late + 200, late + 290},
                                 {late + 300, late + 300 + last}};
  };
  CHECK_FALSE(StepsOnDevice(of_host, runs(5, 90), "step").on_device);
  CHECK_FALSE(StepsOnDevice(of_host, runs(100, 90), "step").on_device);
  CHECK_FALSE(StepsOnDevice(of_host, runs(5, 150), "step").on_device);  // it only runs longer
  const WallSteps ahead = StepsOnDevice(of_host, runs(101, 90), "step");
  CHECK(ahead.on_device);
  REQUIRE(ahead.steps.size() == 4);
  CHECK(ahead.steps[0].start_ps == 101);
  CHECK(ahead.window.end_ps == 101 + 300 + 90);
}

TEST_CASE("an inferred step can be selected") {
  const StorePtr store = OnHost();
  const Indexes indexes(store);
  Context context;
  PlaceFilter place = PlaceFilter::OfStep(1);
  CHECK(!ChooseEvents(*store, indexes, place, context).has_value());
  place.exact = true;
  const ChosenEvents chosen = ChooseEvents(*store, indexes, place, context).value();
  int64_t taken = 0;
  for (uint32_t row = 0; row < store->EventCount(); ++row) {
    if (!chosen.Takes(row)) continue;
    ++taken;
    CHECK(store->events.start_ps[row] >= 51 * kUs);
    CHECK(store->events.start_ps[row] < 101 * kUs);
  }
  CHECK(taken == 2);
}

TEST_CASE("device work belongs to the inferred step that launched it") {
  const StorePtr store = OnDevice();
  const Indexes indexes(store);
  Context context;
  const StepTables tables =
      StepTablesOf(*store, indexes, PlaceFilter::Exact(), StepPlanes::all, context).value();
  REQUIRE(tables.steps.size() == 3);
  std::vector<DeviceStep> of_gpu;
  for (const DeviceStep& row : tables.devices) {
    if (store->processes[row.process.value].device.some()) of_gpu.push_back(row);
  }
  REQUIRE(of_gpu.size() == 3);
  for (size_t i = 0; i < 3; ++i) {
    CHECK(of_gpu[i].records == 1);
    CHECK(of_gpu[i].time_ps == 30 * kUs);
    CHECK(of_gpu[i].start_ps == (50 * static_cast<int64_t>(i) + 60) * kUs);
  }
}

TEST_CASE("marked steps are not replaced by inferred ones") {
  std::vector<TestEvent> main;
  for (int64_t step = 0; step < 4; ++step) {
    const std::string name = "train " + std::to_string(step);
    main.push_back({"train", 100 * step * kUs, 90 * kUs, {{"group", step}, {"step_text", name}}});
    main.push_back({"m:MatMul", 100 * step * kUs, 50 * kUs, {{"group", step}}});
  }
  const StorePtr store = TraceOf({{.lanes = {{.name = "main", .events = main}}}});
  const Indexes indexes(store);
  Context context;
  CHECK(indexes.Get<InferredSteps>(context).value()->windows.empty());
  CHECK(StepTablesOf(*store, indexes, PlaceFilter::Exact(), StepPlanes::all, context)
            .value()
            .steps.size() == 4);
}

}  // namespace tfprof::inferred_steps_test
