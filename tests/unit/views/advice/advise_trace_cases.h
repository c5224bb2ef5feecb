// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/store/store.h"
#include "tests/support/trace_of.h"

// Small traces whose steps and devices checkers judge. Times are in us.

namespace tfprof {

// What a device does in one step, from its start on.
struct TestGpuStep {
  int64_t start_us = 0;
  int64_t copy_in_us = 0;   // first
  int64_t compute_us = 10;  // then
  int64_t gap_us = 0;       // then; behind it one more kernel of 1 us, if not 0
  int64_t exchange_us = 0;  // then
  int64_t copy_out_us = 0;  // last
};

inline TestProcess GpuWith(const std::vector<TestGpuStep>& steps, int number = 0) {
  TestLane lane{.name = "Stream #1"};
  int64_t group = 0, correlation = 1;
  for (const TestGpuStep& step : steps) {
    int64_t at_us = step.start_us;
    const auto add = [&](const char* name, int64_t us) {
      if (us == 0) return;
      lane.events.push_back({name,
                             at_us * kPsPerUs,
                             us * kPsPerUs,
                             {{"group", group}, {"correlation", correlation++}}});
      at_us += us;
    };
    add("MemcpyH2D", step.copy_in_us);
    add("sgemm", step.compute_us);
    at_us += step.gap_us;
    add("relu", step.gap_us == 0 ? 0 : 1);
    add("ncclAllReduceRing", step.exchange_us);
    add("MemcpyD2H", step.copy_out_us);
    ++group;
  }
  return {.name = "/device:GPU:" + std::to_string(number), .lanes = {lane}};
}

inline StorePtr GpuTrace(const std::vector<TestGpuStep>& steps) {
  return TraceOf({GpuWith(steps)});
}

// One GPU that computes for these times, a step each.
inline StorePtr GpuStepsOf(const std::vector<int64_t>& compute_us) {
  std::vector<TestGpuStep> steps;
  for (const int64_t us : compute_us) {
    steps.push_back({.start_us = 1000 * static_cast<int64_t>(steps.size()), .compute_us = us});
  }
  return GpuTrace(steps);
}

// Two GPUs, of one host or of two, that compute for so long in each of three steps and then add up
// gradients together: the exchange itself takes 10 us, and begins when both are there.
inline StorePtr Exchanging(int64_t first_us, int64_t second_us, bool two_hosts = false) {
  const auto gpu = [&](int64_t us, int64_t other_us, int number) {
    std::vector<TestGpuStep> steps;
    for (int64_t i = 0; i < 3; ++i) {
      steps.push_back({.start_us = 1000 * i,
                       .compute_us = us,
                       .exchange_us = std::max(us, other_us) + 10 - us});
    }
    return GpuWith(steps, number);
  };
  TestProcess first = gpu(first_us, second_us, 0), second = gpu(second_us, first_us, 1);
  if (two_hosts) first.host = "a", second.host = "b";
  return TraceOf({first, second});
}

// Two hosts whose five steps begin so long after each other; those of the second one begin
// `later_us` later. The first one is longer within its markers.
inline StorePtr TwoHosts(int64_t first_us, int64_t second_us, int64_t later_us = 0) {
  const auto host = [](const char* name, int64_t wall_us, int64_t marked_us, int64_t from_us) {
    TestLane lane{.name = "main"};
    for (int64_t group = 0; group < 5; ++group) {
      const int64_t start_ps = (from_us + wall_us * group) * kPsPerUs;
      const std::string step = "train " + std::to_string(group);
      lane.events.push_back(
          {"train", start_ps, marked_us * kPsPerUs, {{"group", group}, {"step_text", step}}});
      lane.events.push_back({"MatMul", start_ps, marked_us * kPsPerUs, {{"group", group}}});
    }
    return TestProcess{.lanes = {lane}, .host = name};
  };
  return TraceOf({host("a", first_us, 40, 0), host("b", second_us, 10, later_us)});
}

// Two steps of a host of 100 us each, in which an operation runs for so long.
inline StorePtr HostRunning(int64_t us) {
  TestLane lane{.name = "main"};
  for (int64_t group = 0; group < 2; ++group) {
    const int64_t start_ps = 100 * group * kPsPerUs;
    const std::string name = "train " + std::to_string(group);
    lane.events.push_back(
        {"train", start_ps, 100 * kPsPerUs, {{"group", group}, {"step_text", name}}});
    lane.events.push_back({"m:MatMul", start_ps, us * kPsPerUs, {{"group", group}}});
  }
  return TraceOf({{.lanes = {lane}}});
}

// A step of 100 us of two GPUs, on one of which an operation runs for so long.
inline StorePtr TwoGpus(int64_t us) {
  const auto kernel = [](const char* name, int64_t at_us, int64_t for_us, const char* op) {
    return TestEvent{name,
                     at_us * kPsPerUs,
                     for_us * kPsPerUs,
                     {{"group", int64_t{0}}, {"correlation", at_us}, {"op", op}}};
  };
  const TestLane first{"Stream #1", {kernel("sgemm", 0, us, "m:MatMul")}};
  const TestLane second{"Stream #1", {kernel("relu", 0, 100, "")}};
  return TraceOf(
      {{.name = "/device:GPU:0", .lanes = {first}}, {.name = "/device:GPU:1", .lanes = {second}}});
}

// A step of 100 us of a TPU, in which it runs these operations.
inline StorePtr TpuRunning(const std::vector<TestEvent>& ops) {
  const TestLane steps{
      .name = "Steps", .events = {{"5", 0, 100 * kPsPerUs}}, .role = LaneRole::steps};
  return TraceOf({{.name = "/device:TPU:0",
                   .lanes = {steps, {.name = "XLA Ops", .events = ops, .role = LaneRole::ops}},
                   .device = DeviceKind::tpu}});
}

inline StorePtr TpuComputing(int64_t us) { return TpuRunning({{"dot.2", 0, us * kPsPerUs}}); }

// It waits so long for an async copy and then computes.
inline StorePtr TpuWaiting(int64_t us) {
  return TpuRunning(
      {{"copy-done.1", 0, us * kPsPerUs}, {"dot.2", us * kPsPerUs, (100 - us) * kPsPerUs}});
}

// Two steps of a host of 100 us each, of which it waits this long for input, and for so long
// nothing was recorded.
inline StorePtr HostWaiting(int64_t wait_us, int64_t other_us = 10) {
  TestLane lane{.name = "main"};
  for (int64_t group = 0; group < 2; ++group) {
    const auto add = [&](const char* name, int64_t at_us, int64_t us) {
      TestDetails details{{"group", group}};
      if (at_us == 0) details["step_text"] = "train " + std::to_string(group);
      lane.events.push_back(
          {name, (200 * group + at_us) * kPsPerUs, us * kPsPerUs, std::move(details)});
    };
    add("train", 0, 100);
    add("IteratorGetNext", 1, wait_us);
    add("MatMul", 1 + wait_us, 100 - other_us - wait_us);
  }
  return TraceOf({{.lanes = {lane}}});
}

}  // namespace tfprof
