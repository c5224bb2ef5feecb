// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/times.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/indexes.h"
#include "analysis/ops/duty_cycle.h"
#include "analysis/steps/grouping/event_groups.h"
#include "analysis/steps/trace_steps.h"
#include "core/store/note_catalogue.h"
#include "tests/support/trace_of.h"
#include "views/steps/parts.h"
#include "views/views.h"

namespace tfprof::steps_times_test {
namespace {

std::vector<HostSteps> StepsOf(const StorePtr& store, const Query& query = {}) {
  Context context;
  return MeasureSteps(*store, Indexes(store), query.place, context).value();
}

TestDetails InGroup(int64_t group, int64_t correlation = -1, std::string shape = "") {
  TestDetails details{{"group", group}};
  if (correlation >= 0) details["correlation"] = correlation;
  if (!shape.empty()) details["shape"] = shape;
  return details;
}

std::vector<DeviceStep> PlanesOf(const StorePtr& store) {
  Context context;
  const Indexes indexes(store);
  const auto hosts = StepsOf(store);
  REQUIRE(hosts.at(0).steps.size() == 1);
  const auto groups = indexes.Get<EventGroups>(context).value();
  return PlaneStepsOf(*store, indexes, *groups, hosts[0], {}, StepPlanes::all, context).value();
}

ClassSpan Span(StepClass of, int64_t start_ps, int64_t end_ps) { return {start_ps, end_ps, of}; }

TEST_CASE("the active class of the highest rank gets the time") {
  std::vector<ClassSpan> spans{
      Span(StepClass::host_compute, 0, 100), Span(StepClass::input_wait, 10, 30),
      Span(StepClass::host_compute, 20, 60), Span(StepClass::compute_16, 25, 40),
      Span(StepClass::input_wait, 90, 120)};
  const ClassTimes times = TimesOfClasses(spans, 0, 110);
  CHECK(At(times, StepClass::input_wait) == 15 + 20);
  CHECK(At(times, StepClass::compute_16) == 15);
  CHECK(At(times, StepClass::host_compute) == 10 + 50);
}

TEST_CASE("a span without duration extends to the next span of its rank") {
  using enum StepClass;
  std::vector<ClassSpan> spans{Span(host_compute, 10, 10), Span(host_compute, 30, 40)};
  CHECK(At(TimesOfClasses(spans, 0, 100), host_compute) == 30);
  spans = {Span(host_compute, 0, 20), Span(host_compute, 10, 10), Span(host_compute, 30, 40)};
  CHECK(At(TimesOfClasses(spans, 0, 100), host_compute) == 30);  // within another: nothing
  spans = {Span(host_compute, 0, 20), Span(host_compute, 25, 25)};
  CHECK(At(TimesOfClasses(spans, 0, 100), host_compute) == 20);  // nothing ends after it
}

TEST_CASE("texts indicate classes") {
  using enum EventRole;
  CHECK(HostTextOf(step_marker, "train") == HostText::marker);
  CHECK(HostTextOf(root_step_marker, "TraceContext") == HostText::marker);
  CHECK(HostTextOf(function_run, "FunctionRun") == HostText::wrapper);
  CHECK(HostTextOf(graph_run, "SessionRun") == HostText::compute);
  CHECK(HostTextOf(eager_executor, "EagerExecute: MatMul") == HostText::wrapper);
  CHECK(HostTextOf(input_fetch, "IteratorGetNext:IteratorGetNext") == HostText::input_wait);
  CHECK(HostTextOf(none, "MEMCPYHtoD") == HostText::host_to_device);
  CHECK(HostTextOf(none, "InfeedEnqueue_1:InfeedEnqueue") == HostText::host_to_device);
  CHECK(HostTextOf(none, "MatMul") == HostText::compute);
  CHECK(GpuTextOf("MemcpyD2H") == StepClass::device_to_host);
  CHECK(GpuTextOf("ncclKernel_AllReduce") == StepClass::collectives);
  CHECK(GpuTextOf("volta_fp16_s884gemm") == StepClass::compute_16);
  CHECK(GpuTextOf("sgemm") == StepClass::compute_32);
  CHECK(TpuTextOf("", "all-reduce.1") == StepClass::collectives);
  CHECK(TpuTextOf("infeed", "x") == StepClass::host_to_device);
  CHECK(TpuTextOf("convolution", "infeed.1") == StepClass::compute_32);
  CHECK(TpuTextOf("copy-done", "copy-done.4") == StepClass::stalled);
  CHECK(TpuTextOf("", "send-done.2") == StepClass::collectives);
  CHECK(TpuTextOf("async-done", "slice-done") == StepClass::stalled);
  CHECK(TpuTextOf("async-done", "all-to-all-done.1") == StepClass::collectives);
  CHECK(TpuTextOf("all-reduce-done", "x") == StepClass::collectives);
  CHECK(TpuTextOf("host recv-done", "recv-done") == StepClass::host_to_device);
  CHECK(TpuTextOf("copy-start", "copy-start") == StepClass::compute_32);
}

TEST_CASE("a step of a GPU spans its kernels and copies") {
  const StorePtr store = TraceOf(
      {{.name = "/device:GPU:0",
        .lanes = {{.name = "Stream #1",
                   .events = {{"sgemm", 100, 50, InGroup(4, 1)},
                              {"sgemm", 160, 20, InGroup(4, 2, "half[1]")},
                              {"late", 300, 10, {}}}},
                  {.name = "Stream #2", .events = {{"MemcpyH2D", 90, 20, InGroup(4, 3)}}}}}});
  const auto hosts = StepsOf(store);
  REQUIRE(hosts.size() == 1);
  REQUIRE(hosts[0].steps.size() == 1);
  const StepTime& step = hosts[0].steps[0];
  CHECK(hosts[0].device == DeviceKind::gpu);
  CHECK(step.name == "4");
  CHECK(step.start_ps == 90);
  CHECK(step.duration_ps == 220);  // what has no group counts to the last one seen
  CHECK(At(step.class_ps, StepClass::compute_32) == 50);
  CHECK(At(step.class_ps, StepClass::compute_16) == 20);
  CHECK(At(step.class_ps, StepClass::host_to_device) == 10);
  CHECK(step.OtherPs() == 220 - 80);
  const PartTimes parts = PartsOf(hosts[0], step);
  CHECK(At(parts, StepPart::device_compute) == 70);
  CHECK(At(parts, StepPart::host_compute) == kNoInt);
  CHECK(LargestOf(parts) == StepPart::other);
}

TEST_CASE("kernels without correlation or group are ignored, and a step needs compute") {
  const StorePtr store = TraceOf({{.name = "/device:GPU:0",
                                   .lanes = {{.events = {{"sgemm", 0, 50, InGroup(1)},
                                                         {"MemcpyH2D", 60, 10, InGroup(2, 5)}}}}}});
  CHECK(StepsOf(store)[0].steps.empty());
}

TEST_CASE("a host without devices has its own steps; -device selects devices where they exist") {
  const auto train = [](int64_t group) {
    return TestDetails{{"group", group}, {"step_text", std::string("train 70")}};
  };
  const std::vector<TestProcess> processes{
      {.lanes = {{.name = "main",
                  .events = {{"train", 0, 100, train(0)},
                             {"IteratorGetNext", 10, 20, InGroup(0)},
                             {"EagerExecute: x", 30, 40, InGroup(0)},
                             {"MatMul", 40, 20, InGroup(0)}}},
                 {.name = "worker", .events = {{"Conv", 50, 100, InGroup(0)}}}}},
      {.name = "/device:GPU:0", .lanes = {{.events = {{"k", 0, 10, InGroup(0, 1)}}}}}};
  Query query;
  query.place.device = "host";
  const auto with_device = StepsOf(TraceOf(processes), query);
  const auto without = StepsOf(TraceOf({processes[0]}));
  for (const auto& hosts : {with_device, without}) {
    REQUIRE(hosts[0].steps.size() == 1);
    const StepTime& step = hosts[0].steps[0];
    CHECK_FALSE(hosts[0].has_device());
    CHECK(step.name == "train 70");
    CHECK(step.duration_ps == 100);
    CHECK(At(step.class_ps, StepClass::input_wait) == 20);
    CHECK(At(step.class_ps, StepClass::host_compute) == 60);
  }
}

TEST_CASE("the wall time of a step lasts until the next one of its host starts") {
  // Group 2 ran before group 1.
  const auto host = [](const char* name, int64_t later) {
    const TestLane lane{.events = {{"sgemm", later, 50, InGroup(0, 1)},
                                   {"sgemm", 400 + later, 50, InGroup(1, 2)},
                                   {"sgemm", 100 + later, 50, InGroup(2, 3)}}};
    return TestProcess{.name = "/device:GPU:0", .lanes = {lane}, .host = name};
  };
  for (const HostSteps& of : StepsOf(TraceOf({host("a", 0), host("b", 20)}))) {
    REQUIRE(of.steps.size() == 3);
    CHECK(of.steps[0].wall_ps == 100);
    CHECK(of.steps[1].wall_ps == kNoInt);
    CHECK(of.steps[2].wall_ps == 300);
  }
}

TEST_CASE("only the outermost input stage counts as waiting for input") {
  const auto stage = [](std::string name) {
    return TestDetails{{"group", int64_t{0}}, {"input_stage", std::move(name)}};
  };
  const StorePtr store = TraceOf({{.lanes = {{.events = {{"train", 0, 100, InGroup(0)},
                                                         {"read", 10, 50, stage("all")},
                                                         {"part", 20, 10, stage("part")},
                                                         {"MatMul", 70, 20, InGroup(0)}}}}}});
  const StepTime step = StepsOf(store)[0].steps.at(0);
  CHECK(At(step.class_ps, StepClass::input_wait) == 50);
  CHECK(At(step.class_ps, StepClass::host_compute) == 20);
}

TEST_CASE("the innermost operation of a TPU gets the time") {
  const TestProcess tpu{
      .name = "/device:TPU:0",
      .lanes = {{.name = "Steps", .events = {{"5", 0, 100}}, .role = LaneRole::steps},
                {.name = "XLA Ops",
                 .events = {{"while", 0, 80}, {"infeed.1", 10, 20}, {"all-reduce.2", 40, 10}},
                 .role = LaneRole::ops}},
      .device = DeviceKind::tpu};
  const auto hosts = StepsOf(TraceOf({tpu}));
  const StepTime step = hosts[0].steps.at(0);
  CHECK(step.name == "5");
  CHECK(At(step.class_ps, StepClass::compute_32) == 50);
  CHECK(At(step.class_ps, StepClass::host_to_device) == 20);
  CHECK(At(step.class_ps, StepClass::collectives) == 10);
  CHECK(step.OtherPs() == 20);
}

TEST_CASE("a TPU stall is not compute unless another operation computes") {
  const auto tpu = [](int number, std::vector<TestEvent> ops) {
    return TestProcess{
        .name = "/device:TPU:" + std::to_string(number),
        .lanes = {{.name = "Steps", .events = {{"5", 0, 100}}, .role = LaneRole::steps},
                  {.name = "XLA Ops", .events = std::move(ops), .role = LaneRole::ops}},
        .device = DeviceKind::tpu};
  };
  const StorePtr store =
      TraceOf({tpu(0, {{"while", 0, 60}, {"copy-done.1", 10, 40}, {"all-reduce-done.2", 70, 20}}),
               tpu(1, {{"dot.3", 0, 20}, {"all-reduce-done.2", 40, 5}})});
  const HostSteps host = StepsOf(store)[0];
  const StepTime& step = host.steps.at(0);
  CHECK(At(step.class_ps, StepClass::stalled) == 30);
  CHECK(At(step.class_ps, StepClass::compute_32) == 30);
  CHECK(At(step.class_ps, StepClass::collectives) == 20);
  CHECK(At(PartsOf(host, step), StepPart::device_compute) == 30);
  CHECK(At(PartsOf(host, step), StepPart::stalled) == 30);
  CHECK(step.OtherPs() == 20);
  const auto planes = PlanesOf(store);
  CHECK(planes.at(0).busy_ps == 80);
  CHECK(planes.at(0).stalled_ps == 60);  // collectives as well
  CHECK(planes.at(1).stalled_ps == 5);
  Context context;
  const DutyCycle duty = DutyCycleOf(*store, Indexes(store), {}, context).value();
  CHECK(duty.percent == Approx(100 * 105.0 / 135));
  CHECK(duty.without_stalls_percent == Approx(100 * 40.0 / 135));
  // A step that only waits is one.
  CHECK(StepsOf(TraceOf({tpu(0, {{"copy-done.1", 10, 40}})}))[0].steps.size() == 1);
}

TEST_CASE("plane sums of a step skip markers, add up streams and list gaps") {
  const StorePtr store =
      TraceOf({{.lanes = {{.events = {{"train", 0, 100, InGroup(3)},
                                      {"call", 10, 20, InGroup(3)},
                                      {"within", 12, 5, InGroup(3)},
                                      {"FunctionRun", 40, 50, InGroup(3)}}}}},
               {.name = "/device:GPU:0",
                .lanes = {{.events = {{"k", 20, 10, InGroup(3, 1)}, {"k2", 60, 10, InGroup(3, 2)}}},
                          {.events = {{"c", 25, 10, InGroup(3, 3)}}}}}});
  Context context;
  const Indexes indexes(store);
  const auto hosts = StepsOf(store);
  const auto rows = PlaneStepsOf(*store, indexes, *indexes.Get<EventGroups>(context).value(),
                                 hosts[0], {}, StepPlanes::all, context)
                        .value();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].records == 2);
  CHECK(rows[0].time_ps == 20);
  CHECK(rows[0].busy_ps == 20);
  CHECK(rows[0].IdlePs() == kNoInt);  // the step is that of the device
  CHECK(rows[1].step_ps == 50);
  CHECK(rows[1].records == 3);
  CHECK(rows[1].time_ps == 30);
  CHECK(rows[1].busy_ps == 25);
  CHECK(rows[1].IdlePs() == 25);
  CHECK(rows[1].stalled_ps == kNoInt);  // GPUs do not tell
  CHECK(rows[1].gaps == 1);
  CHECK(rows[1].longest_gap_ps == 25);
  CHECK(store->Text(store->labels[rows[1].after_longest_gap.value].name) == "k2");
  Query gpu;
  gpu.place.device = "gpu";
  CHECK(PlaneStepsOf(*store, indexes, *indexes.Get<EventGroups>(context).value(), hosts[0],
                     gpu.place, StepPlanes::all, context)
            .value()
            .size() == 1);
  // Threads of a host with devices have no idle time.
  const auto with_idle = PlaneStepsOf(*store, indexes, *indexes.Get<EventGroups>(context).value(),
                                      hosts[0], {}, StepPlanes::with_idle, context)
                             .value();
  REQUIRE(with_idle.size() == 1);
  CHECK(with_idle[0].IdlePs() == 25);
}

TEST_CASE("threads that mark a step are idle only within it") {
  const auto rows = PlanesOf(TraceOf({{.lanes = {{.events = {{"early", 0, 10, InGroup(3)},
                                                             {"train", 1000, 100, InGroup(3)},
                                                             {"call", 1010, 20, InGroup(3)},
                                                             {"last", 1090, 50, InGroup(3)}}}}}}));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].time_ps == 80);
  CHECK(rows[0].step_ps == 100);
  CHECK(rows[0].busy_ps == 30);
  CHECK(rows[0].IdlePs() == 70);  // with the 10 before the first
  CHECK(rows[0].gaps == 2);
}

TEST_CASE("a step has its own duration on each device") {
  const auto gpu = [](int number, int64_t start_ps, int64_t ps) {
    return TestProcess{.name = "/device:GPU:" + std::to_string(number),
                       .lanes = {{.events = {{"k", start_ps, ps / 2, InGroup(3, number)},
                                             {"k", start_ps + ps - 1, 1, InGroup(3, number)}}},
                                 {.name = "Steps",
                                  .events = {{"3", start_ps, ps, InGroup(3)}},
                                  .role = LaneRole::steps,
                                  .derived = true}}};
  };
  const auto rows = PlanesOf(TraceOf({gpu(0, 0, 100), gpu(1, 10, 40), gpu(2, 900, 60)}));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].step_ps == 100);
  CHECK(rows[1].step_ps == 100);  // waits for the first
  CHECK(rows[1].IdlePs() == 79);
  CHECK(rows[1].gaps == 3);
  CHECK(rows[1].longest_gap_ps == 50);
  CHECK_FALSE(rows[1].after_longest_gap.some());  // but the end of the step
  CHECK(rows[2].step_ps == 60);                   // does its step later
  const TestProcess tpu{
      .name = "/device:TPU:0",
      .lanes = {{.name = "Steps", .events = {{"5", 0, 100}}, .role = LaneRole::steps},
                {.name = "XLA Ops", .events = {{"dot", 10, 20}}, .role = LaneRole::ops}},
      .device = DeviceKind::tpu};
  CHECK(PlanesOf(TraceOf({tpu})).at(0).step_ps == 100);
}

TEST_CASE("collectives also run in parallel with compute") {
  const StepTime step =
      StepsOf(TraceOf({{.name = "/device:GPU:0",
                        .lanes = {{.events = {{"k", 0, 100, InGroup(3, 1)}}},
                                  {.events = {{"ncclAllReduce", 80, 40, InGroup(3, 2)}}}}}}))[0]
          .steps.at(0);
  CHECK(At(step.class_ps, StepClass::collectives) == 20);
  CHECK(step.collectives_ps == 40);
}

TEST_CASE("a full host name selects one host, a part of it all that contain it") {
  const auto host = [](std::string name) {
    return TestProcess{
        .lanes = {{.events = {{"train", 0, 100, InGroup(0)}, {"MatMul", 1, 50, InGroup(0)}}}},
        .host = std::move(name)};
  };
  const StorePtr store = TraceOf({host("w-1"), host("w-10")});
  Query query;
  const auto hosts = [&](std::string asked) {
    query.place.host = std::move(asked);
    return StepsOf(store, query).size();
  };
  CHECK(hosts("w-1") == 1);
  CHECK(hosts("W-10") == 1);
  CHECK(hosts("w-") == 2);
  CHECK(hosts("x") == 0);
}

TEST_CASE("outliers name the host of their step") {
  std::vector<TestProcess> hosts;
  for (const std::string host : {"a", "b"}) {
    TestLane lane;
    for (int64_t group = 0; group < 4; ++group) {
      const int64_t ps = host == "b" && group == 2 ? 500 : 100;
      lane.events.push_back({"train", group * 1000, ps, InGroup(group)});
      lane.events.push_back({"MatMul", group * 1000 + 1, 50, InGroup(group)});
    }
    hosts.push_back({.lanes = {lane}, .host = host});
  }
  Context context;
  const StorePtr store = TraceOf(hosts);
  const Indexes indexes(store);
  const Report report = Steps(store, indexes, {}, context).value();
  CHECK(report.Find("outliers")->text == "step 2 of b (5.0x the median)");
}

TEST_CASE("-step keeps start times; threads that record only moments get a note") {
  TestLane lane{.name = "main"};
  for (int64_t i = 0; i < 2; ++i) {
    const int64_t at_ps = 1000 * i;
    lane.events.push_back(
        {"train", at_ps, 100, {{"group", i}, {"step_text", "train " + std::to_string(i)}}});
    lane.events.push_back({"call", at_ps + 10, 20, {{"group", i}}});
    lane.events.push_back({"StartRegion", at_ps + 40, 0, {{"group", i}}});
    lane.events.push_back({"last", at_ps + 80, 20, {{"group", i}}});
  }
  const StorePtr store = TraceOf({{.lanes = {lane}}});
  Context context;
  Query query;
  query.place.step = 1;
  const Report report = Steps(store, Indexes(store), query, context).value();
  CHECK(report.tables.at(0).Find("start_ps")->integers == std::vector<int64_t>{1000});
  CHECK(report.tables.at(1).Find("idle_ps")->integers == std::vector<int64_t>{60});
  REQUIRE_FALSE(report.notes.empty());
  CHECK(report.notes.back().what == note::moments_are_not_busy);
  CHECK(report.notes.back().cost_ps == 40);
}

TEST_CASE("an invalid -step lists the valid numbers") {
  const StorePtr store = TraceOf({{.lanes = {{.events = {{"call", 0, 10, InGroup(3)}}}}}});
  Context context;
  const auto groups = Indexes(store).Get<EventGroups>(context).value();
  Query query;
  query.place.step = 7;
  const auto asked = GroupsOfStep(*groups, query.place);
  REQUIRE_FALSE(asked.has_value());
  CHECK(asked.error().hint == "only step 3 was recorded");
}

TEST_CASE("the duty cycle of TPUs excludes transfers with the host") {
  const TestProcess tpu{
      .name = "/device:TPU:0",
      .lanes = {{.name = "XLA Modules", .events = {{"m", 0, 50}}, .role = LaneRole::modules},
                {.name = "XLA Ops",
                 .events = {{"infeed.1", 0, 10}, {"a", 10, 10}, {"b", 20, 10}, {"outfeed", 30, 10}},
                 .role = LaneRole::ops}},
      .device = DeviceKind::tpu};
  Context context;
  const StorePtr store = TraceOf({tpu});
  CHECK(DutyCycleOf(*store, Indexes(store), {}, context).value().percent == Approx(40));
  const StorePtr none = TraceOf({{.lanes = {{.events = {{"a", 0, 1}}}}}});
  CHECK(std::isnan(DutyCycleOf(*none, Indexes(none), {}, context).value().percent));
}

TEST_CASE("a TPU stall is exposed communication only if it waits for a collective") {
  const TestProcess tpu{
      .name = "/device:TPU:0",
      .lanes = {{.name = "Steps", .events = {{"5", 0, 100}}, .role = LaneRole::steps},
                {.name = "XLA Ops",
                 .events = {{"dot.1", 0, 20},
                            {"copy-done.2", 20, 30},
                            {"all-reduce.3", 50, 7},
                            {"all-reduce-done.4", 60, 5},
                            {"async-done.5", 70, 11}},
                 .role = LaneRole::ops}},
      .device = DeviceKind::tpu};
  const DeviceStep row = PlanesOf(TraceOf({tpu})).at(0);
  CHECK(row.busy_ps == 73);
  CHECK(row.exchange_ps == 12);
  CHECK(row.stalled_ps == 46);
}

TEST_CASE("every collective, send and receive is counted, by category, instruction or kernel") {
  for (const std::string_view name :
       {"all-reduce", "all-gather", "all-to-all", "ragged-all-to-all", "reduce-scatter",
        "collective-permute", "collective-broadcast", "send", "recv"}) {
    INFO(name);
    const std::string start = std::string(name) + "-start.2", done = std::string(name) + "-done.2";
    CHECK(TpuTextOf(name, "") == StepClass::collectives);
    CHECK(TpuTextOf("", start) == StepClass::collectives);
    CHECK(TpuTextOf("async-done", done) == StepClass::collectives);
    CHECK(GpuTextOf(start) == StepClass::collectives);
  }
  CHECK(GpuTextOf("ncclDevKernel_ReduceScatter_Sum_f16_RING_LL") == StepClass::collectives);
  CHECK(GpuTextOf("rcclGenericKernel") == StepClass::collectives);
  CHECK(GpuTextOf("reduce_kernel") == StepClass::compute_32);
  CHECK(TpuTextOf("infeed", "infeed.1") == StepClass::host_to_device);
  CHECK(TpuTextOf("host send", "send.1") == StepClass::device_to_host);
  CHECK(TpuTextOf("reduce", "reduce.1") == StepClass::compute_32);
}

TEST_CASE("times at the limits do not overflow") {
  const StorePtr store = TraceOf({{.lanes = {{.events = {{"train", kMinPs, kMaxPs, InGroup(0)},
                                                         {"a", kMinPs, kMaxPs, InGroup(0)},
                                                         {"b", kMaxPs, kMaxPs, InGroup(0)},
                                                         {"c", kNoTime, 5, InGroup(0)}}}}}});
  const auto hosts = StepsOf(store);
  REQUIRE(hosts[0].steps.size() == 1);
  CHECK(hosts[0].steps[0].OtherPs() >= 0);
}

}  // namespace
}  // namespace tfprof::steps_times_test
