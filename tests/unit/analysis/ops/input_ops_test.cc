// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/input_ops.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/indexes.h"
#include "analysis/steps/gaps.h"
#include "tests/support/trace_of.h"
#include "views/steps/answer.h"
#include "views/views.h"

namespace tfprof::input_ops_test {
namespace {

// Names lie in the store.
InputOps OpsOf(StorePtr store) {
  static std::vector<StorePtr> kept;
  kept.push_back(store);
  Context context;
  return FindInputOps(*store, Indexes(store), {}, context).value();
}

TEST_CASE("operations of the input pipeline are listed with their self times") {
  const InputOps found = OpsOf(TraceOf({{.lanes = {{.events =
                                                        {
                                                            {"Iterator::Root", 0, 100},
                                                            {"region", 5, 90},
                                                            {"Iterator::Root::Map", 10, 60},
                                                            {"work:MatMul", 20, 15},
                                                            {"MemcpyH2D", 200, 5},
                                                            {"MEMCPYHtoD", 210, 5},
                                                        }},
                                                   {.events = {{"Iterator::Root", 0, 7}}}}}}));
  REQUIRE(found.ops.size() == 3);
  CHECK(found.ops[0].name == "Iterator::Root");
  CHECK(found.ops[0].count == 2);
  CHECK(found.ops[0].total_ps == 107);
  CHECK(found.ops[0].self_ps == 47);
  CHECK(found.ops[1].name == "Iterator::Root::Map");
  CHECK(found.ops[1].self_ps == 45);  // less an operation within that makes no input
  CHECK(found.ops[2].name == "MEMCPYHtoD");
  CHECK(found.ops[2].kind == InputKind::enqueue);
  CHECK(std::isnan(found.infeed_ratio));
}

TEST_CASE("the kind of an input operation follows from its name") {
  const std::pair<std::string, InputKind> known[] = {
      {"Iterator::Root::TFRecord", InputKind::demanded_read},
      {"Iterator::Root::Prefetch::TFRecord", InputKind::advanced_read},
      {"Iterator::Root::TFRecord::Map", InputKind::preprocessing},
      {"enqueue:InfeedEnqueueTuple", InputKind::enqueue}};
  for (const auto& [name, kind] : known) {
    const InputOps found = OpsOf(TraceOf({{.lanes = {{.events = {{name, 0, 10}}}}}}));
    REQUIRE(found.ops.size() == 1);
    CHECK(found.ops[0].kind == kind);
  }
}

TEST_CASE("the infeed ratio divides durations by the intervals between infeeds") {
  const InputOps found = OpsOf(TraceOf({{.lanes = {{.events = {{"e:InfeedEnqueue", 0, 10},
                                                               {"e:InfeedEnqueue", 100, 30},
                                                               {"e:InfeedEnqueue", 200, 50}}}}}}));
  CHECK(found.infeed_ratio == Approx(40.0 / 200));
}

TEST_CASE("host time for input excludes the transfer") {
  InputOps ops;
  ops.ops.push_back({"a", InputKind::enqueue, 1, 0, 2 * kPsPerUs});
  ops.ops.push_back({"b", InputKind::demanded_read, 1, 0, 3 * kPsPerUs});
  ops.ops.push_back({"c", InputKind::preprocessing, 1, 0, 5 * kPsPerUs});
  const InputTimes all = DistributeInputTime(ops, 0);
  CHECK(all.us[0] == 2);
  CHECK(all.us[1] == 3);
  CHECK(all.us[3] == 5);
  CHECK(all.unclassified_us == 2);
  const InputTimes part = DistributeInputTime(ops, 0.25);  // 6 us outside
  CHECK(part.us[0] == 2);
  CHECK(part.us[1] == Approx(1.8));
  CHECK(part.us[3] == Approx(3));
  CHECK(part.unclassified_us == Approx(1.2));
  CHECK(DistributeInputTime({}, 0).unclassified_us == 0);
}

StepAnswer AnswerOf(DeviceKind device, std::vector<ClassTimes> steps) {
  StepAnswer answer;
  HostSteps host;
  host.device = device;
  for (size_t i = 0; i < steps.size(); ++i) {
    StepTime step;
    step.name = std::to_string(i);
    step.duration_ps = 100;
    step.class_ps = steps[i];
    host.steps.push_back(step);
    answer.common.push_back({static_cast<int64_t>(i), {static_cast<uint32_t>(i)}});
  }
  answer.hosts.push_back(host);
  return answer;
}

ClassTimes Times(std::initializer_list<std::pair<StepClass, int64_t>> times) {
  ClassTimes all{};
  for (const auto& [of, time_ps] : times) At(all, of) = time_ps;
  return all;
}

TEST_CASE("shares of the steps determine the input classification") {
  using enum StepClass;
  const auto class_of = [](int64_t input, int64_t compute) {
    return InputClass(SharesOf(
        AnswerOf(DeviceKind::other, {Times({{input_wait, input}, {host_compute, compute}})})));
  };
  CHECK(class_of(20, 80) == "host");
  CHECK(class_of(5, 95) == "both");
  CHECK(class_of(4, 92) == "both");  // other
  CHECK(class_of(4, 96) == "device");
  CHECK(InputClass(SharesOf(AnswerOf(DeviceKind::other, {}))) == "unknown");
  const StepShares shares = SharesOf(
      AnswerOf(DeviceKind::gpu, {Times({{compute_16, 30}, {compute_32, 20}, {collectives, 10}}),
                                 Times({{compute_32, 50}, {host_to_device, 20}})}));
  CHECK(shares.of(StepPart::device_compute) == Approx(50));
  CHECK(shares.of(StepPart::input) == Approx(10));
  CHECK(shares.of(StepPart::collectives) == Approx(5));
  CHECK(shares.idle == Approx(35));
  CHECK(std::isnan(shares.of(StepPart::host_compute)));
  CHECK(std::isnan(shares.of(StepPart::stalled)));
}

TEST_CASE("TPU stalls are neither compute nor idle time") {
  using enum StepClass;
  const StepAnswer steps =
      AnswerOf(DeviceKind::tpu, {Times({{compute_32, 50}, {stalled, 30}, {collectives, 10}})});
  const StepShares shares = SharesOf(steps);
  CHECK(shares.of(StepPart::device_compute) == Approx(50));
  CHECK(shares.of(StepPart::stalled) == Approx(30));
  CHECK(shares.idle == Approx(10));
}

TEST_CASE("-step selects its calls, also within enclosing events of other steps") {
  const auto in_group = [](int64_t group) { return TestDetails{{"group", group}}; };
  const StorePtr store =
      TraceOf({{.lanes = {{.name = "main",
                           .events = {{"Iterator::Root", 0, 100, in_group(0)},
                                      {"Iterator::Root::Map", 10, 60, in_group(0)},
                                      {"Iterator::Root", 200, 50, in_group(1)},
                                      {"Iterator::Root::Map", 210, 20, in_group(0)}}}}}});
  Query query;
  query.place.step = 1;
  Context context;
  const InputOps ops = FindInputOps(*store, Indexes(store), query.place, context).value();
  REQUIRE(ops.ops.size() == 1);
  CHECK(ops.ops[0].name == "Iterator::Root");
  CHECK(ops.ops[0].total_ps == 50);
  CHECK(ops.ops[0].self_ps == 30);
  query.place.step = 2;
  CHECK(FindInputOps(*store, Indexes(store), query.place, context).error().kind ==
        ErrorKind::usage);
}

TEST_CASE("time between steps runs from the end of one to the start of the next on the same host") {
  const auto host = [](std::vector<std::pair<int64_t, int64_t>> spans) {
    HostSteps steps;
    for (const auto& span : spans) {
      steps.steps.push_back({.start_ps = span.first, .duration_ps = span.second - span.first});
    }
    return steps;
  };
  // In any order; one lies in another, two touch.
  const StepGaps one = GapsOf({host({{200, 250}, {0, 100}, {20, 40}, {250, 300}})});
  CHECK(one.count == 3);
  CHECK(one.sum_ps == 100);
  CHECK(one.max_ps == 100);
  CHECK(one.span_ps == 300);
  CHECK(one.Percent() == Approx(100.0 / 3));
  const StepGaps two = GapsOf({host({{0, 10}, {30, 40}}), host({{0, 30}, {40, 60}})});
  CHECK(two.sum_ps == 30);
  CHECK(two.MeanPs() == 15);
  CHECK(two.Percent() == Approx(30));
  CHECK(std::isnan(GapsOf({}).Percent()));
  CHECK(std::isnan(GapsOf({host({{0, 10}})}).Percent()));
}

TEST_CASE("steps without recorded input have neither input share nor verdict, but other shares") {
  const auto answer_of = [](const char* name) {
    const auto event = [](const char* of, int64_t at_ps, int64_t ps, TestDetails details) {
      details["group"] = at_ps / 1000;
      return TestEvent{of, at_ps, ps, std::move(details)};
    };
    TestLane lane{.name = "main"};
    for (int64_t i = 0; i < 2; ++i) {
      const int64_t at_ps = 1000 * i;
      lane.events.push_back(
          event("train", at_ps, 100, {{"step_text", "train " + std::to_string(i)}}));
      lane.events.push_back(event(name, at_ps + 1, 80 + i, {}));
      lane.events.push_back(event("dot", at_ps + 85, 10, {}));
    }
    const StorePtr store = TraceOf({{.lanes = {lane}}});
    Context context;
    return Overview(store, Indexes(store), {}, context).value();
  };
  const Report unknown = answer_of("load_batch");
  CHECK(unknown.Find("input_recorded")->integer == 0);
  CHECK(unknown.Find("input_percent")->real == 0);  // as xprof has it
  CHECK(unknown.Find("input_percent")->head.empty());
  CHECK(unknown.Find("input_classification")->display_text.starts_with("unknown"));
  CHECK_FALSE(unknown.tables.at(1).Find("infeedTimeMs")->spec.human_readable);
  const Table& advice = unknown.tables.at(2);
  const std::string_view evidence = advice.Find("evidence")->texts.at(advice.rows - 1);
  CHECK(evidence.ends_with("load_batch 80.5%, dot 10.0%"));
  CHECK(advice.Find("command")->texts.at(advice.rows - 1) ==
        "events -where 'name ~ ^load_batch$' -order_by self_us");
  const Report known = answer_of("IteratorGetNext");
  CHECK(known.Find("input_recorded")->integer == 1);
  CHECK(known.Find("input_classification")->display_text.starts_with("yes"));
  CHECK(known.tables.at(1).Find("infeedTimeMs")->spec.human_readable);
}

}  // namespace
}  // namespace tfprof::input_ops_test
