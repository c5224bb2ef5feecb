// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "analysis/indexes.h"
#include "analysis/ops/op_times.h"
#include "analysis/runs/gpu_runs.h"
#include "analysis/runs/program_runs.h"
#include "tests/support/trace_of.h"

namespace tfprof::runs_test {
namespace {

// A kernel or a memset of an instruction of the program 7, launched by call `number`.
TestEvent Launched(const std::string& name, int64_t start_ns, int64_t ns,
                   const std::string& instruction, int64_t number) {
  TestEvent event = TestKernel(name, start_ns, ns, "");
  event.details["instruction"] = instruction;
  event.details["program"] = int64_t{7};
  event.details["correlation"] = number;
  return event;
}

TestEvent Call(const std::string& name, int64_t start_ns, int64_t ns) {
  return {name, start_ns * kTestNs, ns * kTestNs};
}

TestEvent Launch(int64_t start_ns, int64_t number) {
  return {"launch", start_ns * kTestNs, 1 * kTestNs, {{"correlation", number}}};
}

// The program runs twice. Its product launches a memset and two kernels each time, its fusion one
// kernel.
std::vector<TestEvent> KernelsOfTwoRuns() {
  return {Launched("memset", 200, 1, "gemm.1", 1), Launched("gemm", 210, 10, "gemm.1", 2),
          Launched("gemm", 220, 10, "gemm.1", 3),  Launched("add", 240, 5, "fusion.2", 4),
          Launched("memset", 300, 1, "gemm.1", 5), Launched("gemm", 310, 10, "gemm.1", 6),
          Launched("gemm", 320, 10, "gemm.1", 7),  Launched("add", 350, 8, "fusion.2", 8)};
}

std::vector<TestEvent> CallsOfTwoRuns() {
  return {
      Call("jit_f:XLA GPU module", 0, 60),   Call("gemm.1", 10, 20),  Call("fusion.2", 40, 10),
      Call("jit_f:XLA GPU module", 100, 60), Call("gemm.1", 110, 20), Call("fusion.2", 140, 10)};
}

std::vector<TestEvent> LaunchesOfTwoRuns() {
  return {Launch(11, 1),  Launch(13, 2),  Launch(15, 3),  Launch(42, 4),
          Launch(111, 5), Launch(113, 6), Launch(115, 7), Launch(142, 8)};
}

StorePtr TwoRuns(bool with_calls, bool own_thread) {
  std::vector<TestLane> lanes;
  std::vector<TestEvent> events;
  if (with_calls) events = CallsOfTwoRuns();
  std::vector<TestEvent> launches = LaunchesOfTwoRuns();
  if (own_thread) {
    lanes.push_back({.name = "driver", .events = launches});
  } else {
    events.insert(events.end(), launches.begin(), launches.end());
    std::stable_sort(events.begin(), events.end(), [](const TestEvent& a, const TestEvent& b) {
      return a.start_ps < b.start_ps;
    });
  }
  lanes.push_back({.name = "main", .events = events});
  return TraceOf(
      {{.lanes = lanes}, {.name = "/device:GPU:0", .lanes = {{.events = KernelsOfTwoRuns()}}}});
}

std::map<std::string, std::pair<int64_t, int64_t>> RunsAndLaunches(const StorePtr& store) {
  Context context;
  const Indexes indexes(store);
  const auto times = indexes.Get<OpTimes>(OpAccounting::exact, context).value();
  std::map<std::string, std::pair<int64_t, int64_t>> found;
  for (const ProcessOps& process : times->processes) {
    for (const OpTime& op : process.ops) {
      if (process.is_device) found[std::string(op.instruction())] = {op.occurrences, op.launches};
    }
  }
  return found;
}

std::vector<ProgramRun> ProgramsOf(const StorePtr& store) {
  Context context;
  return *Indexes(store).Get<ProgramRuns>(context).value();
}

}  // namespace

TEST_CASE("an instruction runs once per host event of its name, whatever it launches") {
  for (const bool own_thread : {false, true}) {
    INFO("the driver launches from a thread of its own: " << own_thread);
    const auto found = RunsAndLaunches(TwoRuns(true, own_thread));
    CHECK(found.at("gemm.1") == std::pair<int64_t, int64_t>(2, 6));
    CHECK(found.at("fusion.2") == std::pair<int64_t, int64_t>(2, 2));
  }
}

TEST_CASE("without host events an instruction ran as often as its most frequent kernel") {
  const auto found = RunsAndLaunches(TwoRuns(false, false));
  CHECK(found.at("gemm.1") == std::pair<int64_t, int64_t>(4, 6));
  CHECK(found.at("fusion.2") == std::pair<int64_t, int64_t>(2, 2));
}

TEST_CASE("an execution of a program lasts from its first to its last kernel") {
  const std::vector<ProgramRun> runs = ProgramsOf(TwoRuns(true, false));
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].program_id == 7);
  CHECK(runs[0].devices == 1);
  CHECK(runs[0].runs == 2);
  CHECK(runs[0].min_ps == 45 * kTestNs);  // 200 to 245
  CHECK(runs[0].max_ps == 58 * kTestNs);  // 300 to 358
  CHECK(runs[0].MeanPs() == 51.5 * kTestNs);
}

TEST_CASE("without host events the executions of a program are unknown") {
  const std::vector<ProgramRun> runs = ProgramsOf(TwoRuns(false, false));
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].runs == kNoInt);
  CHECK(runs[0].min_ps == kNoInt);
  CHECK(std::isnan(runs[0].MeanPs()));
}

TEST_CASE("a TPU records the executions of its programs, by number") {
  const auto tpu = [](const std::string& name, int64_t ps) {
    return TestProcess{.name = name,
                       .lanes = {{.name = "XLA Modules",
                                  .events = {{"jit_f(42)", 0, ps}, {"jit_f(42)", 1000, 2 * ps}},
                                  .role = LaneRole::modules}},
                       .device = DeviceKind::tpu};
  };
  const auto runs = ProgramsOf(TraceOf({tpu("/device:TPU:0", 10), tpu("/device:TPU:1", 40)}));
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].program_id == 42);
  CHECK(runs[0].devices == 2);
  CHECK(runs[0].runs == 4);
  CHECK(runs[0].min_ps == 10);
  CHECK(runs[0].max_ps == 80);
  CHECK(runs[0].sum_ps == 10 + 20 + 40 + 80);
  CHECK(FindRun(runs, 42) == &runs[0]);
  CHECK(FindRun(runs, 41) == nullptr);
}

TEST_CASE("on threads the number of an execution tells it apart") {
  const auto add = [](int64_t start_ps, int64_t ps, int64_t run) {
    TestDetails details{{"instruction", std::string("add.1")}, {"program", int64_t{3}}};
    if (run > 0) details["program_run"] = run;
    return TestEvent{"add.1", start_ps, ps, details};
  };
  const auto known = ProgramsOf(TraceOf(
      {{.lanes = {{.events = {add(0, 10, 1), add(100, 10, 2)}}, {.events = {add(20, 30, 1)}}}}}));
  REQUIRE(known.size() == 1);
  CHECK(known[0].runs == 2);
  CHECK(known[0].max_ps == 50);  // 0 to 50, on two threads
  CHECK(known[0].min_ps == 10);
  const auto unknown = ProgramsOf(TraceOf({{.lanes = {{.events = {add(0, 10, 0)}}}}}));
  CHECK(unknown.at(0).runs == kNoInt);
}

}  // namespace tfprof::runs_test
