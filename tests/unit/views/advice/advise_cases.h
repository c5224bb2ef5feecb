// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"
#include "tests/unit/views/advice/advise_trace_cases.h"

namespace tfprof {

// A small profile in which a checker finds something, and one like it in which it does not.
struct AdviseCase {
  const char* checker;
  const char* finding;  // part of the sentence of its first finding
  int64_t cost_us;      // of that; kNoInt: none
  StorePtr fires;
  StorePtr silent;
};

// Two operations on a cpu, the second one `start_us` later.
inline StorePtr TwoOnCpu(int64_t start_us) {
  return StoreOf({{.name = "a"}, {.name = "b"}},
                 {{.node = "a", .start_us = 1000, .us = 10},
                  {.node = "b", .start_us = 1000 + start_us, .us = 10}});
}

// A step of 100 us on a gpu whose streams compute for `busy_us`.
inline StorePtr OneOnGpu(int64_t busy_us) {
  return StoreOf({{.name = "a"}},
                 {{.node = "a", .device = "/device:gpu:0", .us = 100},
                  {.node = "a", .device = "/device:gpu:0/stream:all", .us = busy_us}});
}

inline StorePtr Convolution(const std::string& data_format) {
  return StoreOf({{.name = "net/conv", .type = "Conv2D", .data_format = data_format}},
                 {{.node = "net/conv", .device = "/device:gpu:0", .us = 40}});
}

// a -> where -> b; a and b on a gpu.
inline StorePtr Between(const std::string& device) {
  return StoreOf({{.name = "a"},
                  {.name = "where", .type = "Where", .inputs = {"a"}},
                  {.name = "b", .inputs = {"where"}}},
                 {{.node = "a", .device = "/device:gpu:0", .start_us = 1000, .us = 10},
                  {.node = "where", .device = device, .start_us = 1010, .us = 70},
                  {.node = "b", .device = "/device:gpu:0", .start_us = 1080, .us = 20}});
}

inline StorePtr Copies(int64_t us) {
  return StoreOf({{.name = "a"}},
                 {{.node = "a", .device = "/device:gpu:0", .us = 1000},
                  {.node = "MEMCPYHtoD", .device = "/device:gpu:0/memcpy", .us = us}});
}

// One operation in steps 0, 1, ... of these durations; its shape is known.
inline StorePtr StepsOf(const std::vector<int64_t>& durations_us) {
  std::vector<TestRun> runs;
  for (size_t i = 0; i < durations_us.size(); ++i) {
    const auto step = static_cast<int64_t>(i);
    runs.push_back(
        {.node = "a", .step = step, .start_us = 1000 * (step + 1), .us = durations_us[i]});
  }
  return StoreOf({{.name = "a", .output = {{2, 3}}}}, runs);
}

// Operations of as many types and scopes with these times.
inline StorePtr TypesOf(const std::vector<int64_t>& times_us) {
  std::vector<TestNode> nodes;
  std::vector<TestRun> runs;
  for (size_t i = 0; i < times_us.size(); ++i) {
    const std::string name = "n" + std::to_string(i);
    nodes.push_back({.name = name, .type = "Type" + std::to_string(i)});
    runs.push_back({.node = name, .us = times_us[i]});
  }
  return StoreOf(nodes, runs);
}

// An allocator that gives memory to two operations.
inline TestProcess Allocating(bool any, const std::string& host = "host", const char* op = "mul") {
  const auto give = [](int64_t at_ps, const char* op, int64_t bytes, int64_t in_use) {
    return TestEvent{"MemoryAllocation",
                     at_ps,
                     0,
                     {{"allocator", "gpu"},
                      {"op", op},
                      {"address", at_ps},
                      {"allocation_bytes", bytes},
                      {"bytes_in_use", in_use}}};
  };
  std::vector<TestEvent> events{{"work", 0, 100}};
  if (any) events.insert(events.end(), {give(10, op, 3000, 3000), give(20, "add", 1000, 4000)});
  return {.lanes = {{"main", events}}, .host = host};
}

inline StorePtr Allocations(bool any) { return TraceOf({Allocating(any)}); }

inline std::vector<AdviseCase> AdviseCases() {
  return {
      {"AcceleratorUtilizationChecker", "is busy 20.0 % of the time", 80, OneOnGpu(20),
       OneOnGpu(95)},
      {"ExpensiveOperationChecker", "Type1 takes 90.0 % of the time", 90, TypesOf({10, 90}),
       TypesOf({10, 10, 10, 10, 10, 10})},
      {"OperationChecker", "1 convolution or pooling operation on an accelerator with data_format",
       40, Convolution("NHWC"), Convolution("NCHW")},
      {"JobChecker", "0.0 % of the graph's nodes have output shapes", kNoInt, TwoOnCpu(10),
       StepsOf({10, 10})},
      {"DeviceIdleChecker", "stands still for 80.0 % of the time", 80, TwoOnCpu(90), TwoOnCpu(10)},
      {"PlacementChecker", "1 operation runs between operations of an accelerator on the cpu", 70,
       Between("/device:cpu:0"), Between("/device:gpu:0")},
      {"CopyChecker", "copies between host and device for 20.0 % of a step", 200, Copies(200),
       Copies(5)},
      {"FirstStepChecker", "step 0 takes 10.0 times as long as the others", kNoInt,
       StepsOf({100, 10, 10}), StepsOf({10, 10, 10})},
      {"StepVariationChecker", "the slowest takes 3.0 times as long as the fastest", 10,
       StepsOf({10, 10, 30}), StepsOf({90, 10, 10})},
      {"PeakMemoryChecker", "a holds most memory: 75.0 % of what all operations hold", kNoInt,
       StoreOf({{.name = "a"}, {.name = "b"}}, {{.node = "a", .bytes = 3000, .peak_bytes = 3000},
                                                {.node = "b", .bytes = 1000, .peak_bytes = 1000}}),
       TwoOnCpu(10)},
      {"PeakMemoryChecker", "at the peak of allocator gpu, 75.0 % of its memory is held by mul",
       kNoInt, Allocations(true), Allocations(false)},
      {"PeakMemoryChecker", "is held by operations whose names were not recorded", kNoInt,
       TraceOf({Allocating(true, "host", "(null)")}), Allocations(false)},
      {"PeakMemoryChecker",
       "at the peak of allocator gpu of a, 75.0 % of its memory is held by mul", kNoInt,
       TraceOf({Allocating(true, "a"), Allocating(false, "b")}), Allocations(false)},
      {"AcceleratorUtilizationChecker", "/device:GPU:1 is busy 20.0 % of the time of its steps", 80,
       TraceOf({GpuWith({{.compute_us = 100}}), GpuWith({{.compute_us = 20}}, 1)}),
       TraceOf({GpuWith({{.compute_us = 100}}), GpuWith({{.compute_us = 90}}, 1)})},
      {"DeviceIdleChecker", "/device:GPU:0 stands still for 45.0 % of the time of its steps", 9,
       GpuTrace({{.gap_us = 9}}), GpuTrace({{.gap_us = 1}})},
      {"CopyChecker", "copies to devices take 20.0 % of the steps while nothing computes", 20,
       GpuTrace({{.copy_in_us = 20, .compute_us = 80}}), GpuTrace({{.compute_us = 100}})},
      {"CopyChecker", "copies from devices take 20.0 % of the steps while nothing computes", 20,
       GpuTrace({{.compute_us = 80, .copy_out_us = 20}}),
       GpuTrace({{.compute_us = 1000, .copy_out_us = 5}})},
      {"FirstStepChecker", "step 0 takes 10.0 times as long as the others", kNoInt,
       GpuStepsOf({100, 10, 10}), GpuStepsOf({10, 10, 10})},
      {"StepVariationChecker", "the slowest takes 3.0 times as long as the fastest", 10,
       GpuStepsOf({10, 10, 30}), GpuStepsOf({90, 10, 10})},
      {"StepVariationChecker", "the slowest takes 2.0 times as long as the fastest", 5,
       GpuStepsOf({10, 10, 20, 10, 20, 1}), GpuStepsOf({90, 10, 10, 10, 10, 1})},
      {"JobChecker", "one step was recorded", kNoInt, GpuStepsOf({10}), GpuStepsOf({10, 10})},
      {"JobChecker", "no step was found in the trace", kNoInt,
       TraceOf({{.lanes = {{.name = "main", .events = {{"MatMul:MatMul", 0, 5}}}}}}),
       HostWaiting(4)},
      {"JobChecker", "whether steps wait for input is not known", kNoInt, HostRunning(90),
       HostWaiting(4)},
      {"InputBoundChecker", "input takes 20.0 % of the time of the steps: waiting for it", 20,
       HostWaiting(20), HostWaiting(4)},
      {"InputBoundChecker", "input takes 6.0 % of the time of the steps: waiting for it", 6,
       HostWaiting(6), GpuStepsOf({10, 10})},
      {"InputBoundChecker", "input takes 20.0 % of the time of the steps: copying it to devices",
       20, GpuTrace({{.copy_in_us = 20, .compute_us = 80}}),
       GpuTrace({{.copy_in_us = 4, .compute_us = 96}})},
      {"OtherTimeChecker", "devices do nothing for 19.0 % of the time of the steps", 19,
       GpuTrace({{.compute_us = 80, .gap_us = 19}}), GpuTrace({{.compute_us = 90, .gap_us = 9}})},
      {"OtherTimeChecker", "no operation was recorded for 15.0 % of the time of the steps", 15,
       HostWaiting(4, 15), HostWaiting(4, 14)},
      {"StepGapChecker", "33.3 % of the time from the first step to the last lies between steps",
       100, HostWaiting(4), GpuStepsOf({1000, 1000})},
      {"ExpensiveOperationChecker",
       "MatMul takes 100.0 % of the time of all operations, up to 86.0 % of the time of the steps",
       kNoInt, HostRunning(86), HostRunning(19)},
      {"ExpensiveOperationChecker", "up to 20.0 % of the time of the steps", kNoInt, TwoGpus(40),
       TwoGpus(39)},
      {"ExpensiveOperationChecker", "up to 50.0 % of the time that the trace covers", kNoInt,
       TraceOf({{.lanes = {{.name = "main", .events = {{"m:MatMul", 0, 50}, {"rest", 60, 40}}}}}}),
       TraceOf({{.lanes = {{.name = "main", .events = {{"m:MatMul", 0, 19}, {"rest", 60, 40}}}}}})},
      {"StragglerChecker",
       "/device:GPU:1 comes last to collectives: others wait there for it, 30.0 % of the time of "
       "the steps",
       30, Exchanging(60, 90), Exchanging(88, 90)},
      {"StragglerChecker", "b /device:GPU:1 comes last to collectives", 30,
       Exchanging(60, 90, true), Exchanging(90, 90, true)},
      {"StragglerChecker", "steps take 2.0 times as long on b as on the other one, which waits", 50,
       TwoHosts(50, 100), TwoHosts(95, 100)},
      {"StragglerChecker", "on the other one; hosts do not run in step", 50, TwoHosts(100, 50, 200),
       HostWaiting(4)},
      {"CollectiveChecker", "devices exchange data for 20.0 % of the steps", 20,
       GpuTrace({{.compute_us = 80, .exchange_us = 20}}),
       GpuTrace({{.compute_us = 98, .exchange_us = 2}})},
  };
}

}  // namespace tfprof
