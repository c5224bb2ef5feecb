// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/times.h"
#include "analysis/wall/loop/driving_thread.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/wall/idle_shares.h"
#include "tests/support/trace_of.h"
#include "tests/support/wall_of.h"
#include "views/views.h"

namespace tfprof::wall_times_test {
namespace {

constexpr int64_t kUs = 1'000'000;  // ps

TestEvent Event(std::string name, int64_t start_us, int64_t us, TestDetails details = {}) {
  return {std::move(name), start_us * kUs, us * kUs, std::move(details)};
}

TestEvent Marker(int64_t step, int64_t start_us, int64_t us) {
  return Event("train", start_us, us, {{"step_number", step}});
}

TestEvent Instruction(std::string name, int64_t start_us, int64_t us, int64_t run) {
  return Event(name, start_us, us,
               {{"instruction", name}, {"module", std::string("jit_step")}, {"program_run", run}});
}

// Two marked steps of 100 us: load_batch sleeps for 60 us, the program runs for 30 us on a pool
// thread, and nothing is recorded for 10 us.
StorePtr Loading() {
  std::vector<TestEvent> main, pool;
  for (int64_t step = 0; step < 2; ++step) {
    const int64_t at = 100 * step;
    main.push_back(Marker(step, at, 100));
    main.push_back(Event("$loop.py:3 load_batch", at, 60));
    main.push_back(Event("$time sleep", at + 5, 50));
    main.push_back(Event("PjitFunction(step)", at + 60, 2));
    pool.push_back(Instruction("dot.1", at + 61, 10, step));
    pool.push_back(Instruction("add.2", at + 81, 10, step));  // the gap is the runtime's
  }
  return TraceOf({{.lanes = {{.name = "main", .events = main}, {.name = "pool", .events = pool}}}});
}

}  // namespace

TEST_CASE("parts of the wall time add up to it") {
  const HostWall wall = WallOf(Loading());
  CHECK(wall.steps.origin == StepOrigin::marked);
  CHECK(wall.steps.steps.size() == 2);
  CHECK(wall.steps.WindowPs() == 200 * kUs);
  CHECK(wall.steps.StepPs() == 100 * kUs);
  CHECK(MicrosOf(wall, WallKind::compute) == 60);
  CHECK(MicrosOf(wall, WallKind::python, "load_batch") == 120);
  CHECK(MicrosOf(wall, WallKind::launch) == 2);       // 1 us of each call before the program runs
  CHECK(MicrosOf(wall, WallKind::unrecorded) == 18);  // 9 us in each step
  int64_t sum_ps = 0;
  for (const WallPart& part : wall.parts) sum_ps += part.ps;
  CHECK(sum_ps == wall.steps.WindowPs());
  REQUIRE(wall.devices.size() == 1);
  CHECK(wall.devices[0].busy_ps == 60 * kUs);
  CHECK(wall.devices[0].idle_ps == 140 * kUs);
}

TEST_CASE("a function of Python has its innermost calls") {
  const HostWall wall = WallOf(Loading());
  const WallPart& part = wall.parts[0];
  CHECK(part.name == "load_batch");
  REQUIRE(part.leaves.size() == 2);
  CHECK(part.leaves[0].name == "time.sleep");
  CHECK(part.leaves[0].amount == 100 * kUs);
  CHECK(part.leaves[1].name == "load_batch");
  CHECK(part.leaves[1].amount == 20 * kUs);
}

TEST_CASE("wrappers of libraries are no calls of a function: what they call is") {
  const HostWall wall = WallOf(TraceOf(
      {{.lanes = {{.name = "main",
                   .events = {Marker(0, 0, 100), Event("$loop.py:3 step", 0, 60),
                              Event("$traceback_util.py:20 reraise_with_filtered_traceback", 1, 58),
                              Event("$api.py:9 grad", 2, 56), Event("$npyio.py:3 load", 60, 30),
                              Event("$_format_impl.py:7 read_array", 61, 28),
                              Event("PjitFunction(step)", 95, 2)}}}}}));
  const auto largest_call = [&](std::string_view name) {
    const auto part = std::ranges::find(wall.parts, name, &WallPart::name);
    return part == wall.parts.end() ? std::string() : part->calls.at(0).name;
  };
  CHECK(largest_call("step") == "api.py grad");
  CHECK(largest_call("np.load") == "_format_impl.py read_array");
}

TEST_CASE("steps without markers are inferred from the program that takes most") {
  std::vector<TestEvent> main, pool;
  for (int64_t step = 0; step < 4; ++step) {
    main.push_back(Event("PjitFunction(step)", 50 * step, 1));
    pool.push_back(Instruction("dot.1", 50 * step + 1, 20, step));
  }
  const HostWall wall = WallOf(
      TraceOf({{.lanes = {{.name = "main", .events = main}, {.name = "pool", .events = pool}}}}));
  CHECK(wall.steps.origin == StepOrigin::inferred);
  CHECK(wall.steps.of == "jit_step");
  CHECK(wall.steps.steps.size() == 3);  // from start to start
  CHECK(wall.steps.WindowPs() == 150 * kUs);
  CHECK(MicrosOf(wall, WallKind::compute) == 60);
}

// Products of a step that starts each operation as a program: 50 us of product, then others.
StorePtr LoopOfOperations(const std::vector<std::string>& step, int64_t steps) {
  std::vector<TestEvent> pool;
  int64_t at_us = 0, run = 0;
  for (int64_t i = 0; i < steps; ++i) {
    for (const std::string& name : step) {
      const int64_t us = name == "dot" ? 50 : 5;
      pool.push_back(
          Event(name + ".1", at_us, us,
                {{"instruction", name + ".1"}, {"module", "jit_" + name}, {"program_run", run++}}));
      at_us += us;
    }
  }
  return TraceOf({{.lanes = {{.name = "pool", .events = pool}}}});
}

TEST_CASE("a step of single operations is one repetition of all of them") {
  const std::vector<std::string> step = {"dot", "tanh", "dot", "tanh", "square", "mean",
                                         "mul", "dot",  "add", "dot",  "sub",    "neg"};
  const HostWall wall = WallOf(LoopOfOperations(step, 5));
  CHECK(wall.steps.of == "a sequence of 12 programs");
  CHECK(wall.steps.steps.size() == 4);
  CHECK(wall.steps.StepPs() == 240 * kUs);
}

TEST_CASE("steps with an evaluation now and then are the runs of their program") {
  const std::vector<std::string> ten(10, "dot");
  std::vector<std::string> step = ten;
  step.push_back("mean");
  const HostWall wall = WallOf(LoopOfOperations(step, 5));
  CHECK(wall.steps.of == "jit_dot");
  CHECK(wall.steps.steps.size() == 49);
}

TEST_CASE("two executions are no steps: the capture is judged") {
  const HostWall wall =
      WallOf(TraceOf({{.lanes = {{.name = "main",
                                  .events = {Instruction("dot.1", 0, 20, 0),
                                             Instruction("dot.1", 30, 20, 1)}}}}}));
  CHECK(wall.steps.steps.empty());
  CHECK(wall.steps.WindowPs() == 50 * kUs);
  CHECK(wall.steps.StepPs() == 50 * kUs);
}

TEST_CASE("special causes count within general ones") {
  const HostWall wall = WallOf(TraceOf(
      {{.lanes = {
            {.name = "main",
             .events = {Marker(0, 0, 100), Event("$loop.py:3 next_batch", 0, 40),
                        Event("$queue.py:154 get", 5, 30), Event("$threading.py:295 wait", 5, 30),
                        Event("$<unknown> acquire", 6, 28), Event("PjitFunction(step)", 40, 30),
                        Event("backend_compile_and_load", 45, 20), Event("Iterator::Root", 70, 10),
                        Event("$__init__.py:1 _xla_gc_callback", 80, 1),
                        Event("$__init__.py:1 _xla_gc_callback", 89, 1)}}}}}));
  CHECK(MicrosOf(wall, WallKind::queue, "queue.py get") == 30);
  CHECK(MicrosOf(wall, WallKind::python, "next_batch") == 10);
  CHECK(MicrosOf(wall, WallKind::compile, "step") == 30);
  CHECK(MicrosOf(wall, WallKind::input) == 10);
  CHECK(MicrosOf(wall, WallKind::collector) == 10);
  CHECK(MicrosOf(wall, WallKind::unrecorded) == 10);
}

// Two operations that the thread runs itself, 5 us apart, then nothing until a third one.
StorePtr SingleOperations(bool with_device) {
  std::vector<TestEvent> main;
  for (const int64_t at_us : {0, 15, 90'000}) {
    main.push_back(
        Event("EagerExecute: MatMul", at_us, 10,
              {{"eager_operation", std::string("MatMul")}, {"function_call", int64_t{0}}}));
    main.push_back(Event("KernelAndDeviceFunc::Run", at_us + 2, 6));
  }
  std::vector<TestProcess> processes{{.lanes = {{.name = "main", .events = main}}}};
  if (with_device) {
    processes.push_back(
        {.name = "/device:GPU:0",
         .lanes = {
             {.name = "Stream #1", .events = {TestKernel("gemm", 85'000'000, 1000, "m:MatMul")}}}});
  }
  return TraceOf(processes);
}

TEST_CASE("single operations compute on the thread that starts them, and it is not idle then") {
  const HostWall wall = WallOf(SingleOperations(false));
  CHECK(MicrosOf(wall, WallKind::compute) == 3 * 6);
  CHECK(MicrosOf(wall, WallKind::eager) == 3 * 4 + 5);
  CHECK(wall.devices.at(0).busy_ps == 18 * kUs);
  CHECK(wall.devices[0].idle_ps == wall.steps.WindowPs() - 18 * kUs);
}

TEST_CASE("operations that repeat in a sequence make steps") {
  std::vector<TestEvent> main;
  for (int64_t i = 0; i < 10; ++i) {
    const std::string op = i % 3 == 2 ? "Add" : "MatMul";
    main.push_back(Event("EagerExecute: " + op, 20 * i, 10,
                         {{"eager_operation", op}, {"function_call", int64_t{0}}}));
  }
  const HostWall wall = WallOf(TraceOf({{.lanes = {{.name = "main", .events = main}}}}));
  CHECK(wall.steps.of == "a sequence of 3 operations");
  CHECK(wall.steps.steps.size() == 3);
  CHECK(wall.steps.StepPs() == 60 * kUs);
}

TEST_CASE("operations and functions whose names were not recorded are no steps") {
  std::vector<TestEvent> main;
  for (int64_t i = 0; i < 6; ++i) {
    main.push_back(Event("EagerExecute", 20 * i, 10, {{"function_call", i % 2}}));
  }
  CHECK(WallOf(TraceOf({{.lanes = {{.name = "main", .events = main}}}})).steps.steps.empty());
}

TEST_CASE("with a device, single operations only start work there") {
  const HostWall wall = WallOf(SingleOperations(true));
  CHECK(MicrosOf(wall, WallKind::compute) == 1);
  CHECK(MicrosOf(wall, WallKind::eager) == 3 * 10 + 5);
  CHECK(wall.devices.at(0).busy_ps == kUs);
}

TEST_CASE("what nothing is recorded beside names no operation between two others") {
  const StorePtr store = SingleOperations(false);
  const Indexes indexes(store);
  Context context;
  const Report advice = Advise(store, indexes, {}, context).value();
  std::string findings;
  for (const std::string_view text : advice.tables.at(0).Find("finding")->texts) {
    findings.append(text).append("\n");
  }
  CHECK(findings.find("the host recorded nothing but MatMul\n") != findings.npos);
}

TEST_CASE("a device's wall time is that of its work, else of the host while it is idle") {
  std::vector<TestEvent> kernels;
  for (int64_t step = 0; step < 3; ++step) {
    kernels.push_back(TestKernel("gemm", 100'000 * step, 40'000, "m:MatMul"));
    kernels.push_back(TestKernel("ncclAllReduce", 100'000 * step + 40'000, 10'000, ""));
  }
  const HostWall wall = WallOf(
      TraceOf({{.lanes = {{.name = "main", .events = {Event("$loop.py:3 load_batch", 0, 250)}}}},
               {.name = "/device:GPU:0", .lanes = {{.name = "Stream #1", .events = kernels}}}}));
  CHECK(wall.has_devices);
  CHECK(wall.steps.WindowPs() == 250 * kUs);
  CHECK(MicrosOf(wall, WallKind::compute) == 120);
  CHECK(MicrosOf(wall, WallKind::communication) == 30);
  CHECK(MicrosOf(wall, WallKind::python, "load_batch") == 100);
}

// Steps of 100 us: the first 60 us of each pass before the device gets work.
TEST_CASE(
    "steps that the program marks on a thread last from the marker, not from the first kernel") {
  std::vector<TestEvent> main, kernels;
  for (int64_t step = 0; step < 3; ++step) {
    const int64_t at = 100 * step;
    main.push_back(Event("train", at, 100, {{"step_number", step}, {"group", step}}));
    main.push_back(Event("$loop.py:3 load_batch", at, 60));
    main.push_back(Event("launch", at + 60, 5, {{"correlation", step}}));
    kernels.push_back(Event("gemm", at + 70, 20, {{"correlation", step}, {"group", step}}));
  }
  const StorePtr store =
      TraceOf({{.lanes = {{.name = "main", .events = main}}},
               {.name = "/device:GPU:0", .lanes = {{.name = "Stream #1", .events = kernels}}}});
  Context context;
  const auto hosts = MeasureSteps(*store, Indexes(store), {}, context).value();
  REQUIRE(hosts[0].steps.size() == 3);
  CHECK(hosts[0].steps[0].duration_ps == 20 * kUs);
  const HostWall wall = WallOf(store);
  CHECK(wall.steps.of == "train");
  CHECK(wall.steps.WindowPs() == 300 * kUs);
  CHECK(MicrosOf(wall, WallKind::python, "load_batch") == 180);
  CHECK(MicrosOf(wall, WallKind::compute) == 60);
}

TEST_CASE("ranges that PyTorch marks are its operations, the loader and the update") {
  std::vector<TestEvent> main, kernels;
  for (int64_t step = 0; step < 3; ++step) {
    const int64_t at = 100 * step;
    main.push_back(Event("//enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", at, 30));
    main.push_back(Event("//aten::linear", at + 30, 40));
    // Python says from where the operation comes.
    main.push_back(Event("$/home/me/loop.py:3 step", at + 30, 40));
    main.push_back(Event("//aten::linear/aten::addmm", at + 35, 30));
    main.push_back(Event("cudaLaunchKernel", at + 40, 20));
    main.push_back(Event("//Optimizer.step#AdamW.step", at + 80, 20));
    kernels.push_back(TestKernel("gemm", 1000 * (at + 50), 10'000, "//aten::linear/aten::addmm"));
  }
  const HostWall wall = WallOf(
      TraceOf({{.lanes = {{.name = "main", .events = main}}},
               {.name = "/device:GPU:0", .lanes = {{.name = "Stream #1", .events = kernels}}}}));
  CHECK(wall.steps.of == "Optimizer.step#AdamW.step");
  CHECK(wall.steps.steps.size() == 2);  // from one update to the next
  CHECK(wall.steps.WindowPs() == 200 * kUs);
  CHECK(MicrosOf(wall, WallKind::input) == 60);
  CHECK(MicrosOf(wall, WallKind::eager) >= 60);
  CHECK(MicrosOf(wall, WallKind::compute) == 20);
  CHECK(MicrosOf(wall, WallKind::python, "step") == 0);
}

StorePtr WithFirstStepOf(int64_t us, int64_t compiling_us) {
  std::vector<TestEvent> main;
  main.push_back(Marker(7, 0, us));
  if (compiling_us > 0) main.push_back(Event("backend_compile_and_load", 0, compiling_us));
  for (int64_t step = 0; step < 3; ++step) main.push_back(Marker(8 + step, us + 100 * step, 100));
  return TraceOf({{.lanes = {{.name = "main", .events = main}}}});
}

TEST_CASE("a first step that warms up is no part of the wall time") {
  const WallSteps steps = WallOf(WithFirstStepOf(300, 0)).steps;
  CHECK(steps.warm_up == 7);
  CHECK(steps.warm_up_ps == 300 * kUs);
  CHECK(steps.numbers == std::vector<int64_t>{8, 9, 10});
  CHECK(steps.WindowPs() == 300 * kUs);
  CHECK(WallOf(WithFirstStepOf(299, 0)).steps.warm_up == kNoInt);
  CHECK(WallOf(WithFirstStepOf(300, 150)).steps.warm_up == kNoInt);  // it compiles
  CHECK(WallOf(WithFirstStepOf(300, 140)).steps.warm_up == 7);
}

TEST_CASE("a program of which only ranges are recorded has no device that could be idle") {
  const StorePtr ranges = TraceOf(
      {{.lanes = {{.name = "main", .events = {Event("solve", 0, 90), Event("write", 95, 5)}}}}});
  CHECK_FALSE(WallOf(ranges).KnowsDevices());
  Context context;
  const auto idle = IdleSharesOf(*ranges, Indexes(ranges), context).value();
  CHECK(idle.devices.empty());
  CHECK(std::isnan(idle.idle_pct));
  CHECK(idle.MeanIdlePs() == kNoInt);

  CHECK(WallOf(Loading()).KnowsDevices());
  const auto of_host = IdleSharesOf(*Loading(), Indexes(Loading()), context).value();
  REQUIRE(of_host.devices.size() == 1);
  CHECK(of_host.devices[0].idle_ps == 140 * kUs);
}

TEST_CASE("a with block waits for its lock until another thread releases it") {
  const auto loop = [](int64_t steps, int64_t release_at) {
    std::vector<TestEvent> main, other;
    for (int64_t step = 0; step < steps; ++step) {
      const int64_t at = 100 * step;
      main.push_back(Marker(step, at, 100));
      main.push_back(Event("$loop.py:9 read_cache", at, 50));
      main.push_back(Event("$<unknown> __exit__", at + 45, 1));
      other.push_back(Event("$<unknown> __exit__", at + release_at, 2));
    }
    return WallOf(TraceOf(
        {{.lanes = {{.name = "main", .events = main}, {.name = "other", .events = other}}}}));
  };
  const HostWall waits = loop(3, 40);  // 42 of 45 us are before the release
  CHECK(MicrosOf(waits, WallKind::lock, "read_cache") == 3 * 42);
  CHECK(MicrosOf(waits, WallKind::python, "read_cache") == 3 * 8);
  CHECK(MicrosOf(loop(3, 20), WallKind::lock) == 0);  // 22 of 45 us may be chance
  CHECK(MicrosOf(loop(2, 40), WallKind::lock) == 0);  // so may two releases
}

TEST_CASE("a compiled program is that of the function in its whole name") {
  CHECK(IsProgramOf("jit_train_step", "train_step"));
  CHECK(IsProgramOf("pmap_train_step", "train_step"));
  CHECK(IsProgramOf("jit__lambda_", "<lambda>"));
  CHECK(IsProgramOf("train_step", "train_step"));
  CHECK_FALSE(IsProgramOf("jit_train_step", "step"));
  CHECK_FALSE(IsProgramOf("jit", "<>"));
}

}  // namespace tfprof::wall_times_test
