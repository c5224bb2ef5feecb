// SPDX-License-Identifier: Apache-2.0
// The wall time of programs that start operations one by one, whose recorder has categories.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "analysis/indexes.h"
#include "analysis/wall/device_waits.h"
#include "analysis/wall/small_ops.h"
#include "analysis/wall/times.h"
#include "tests/support/kineto_of.h"
#include "tests/support/wall_of.h"
#include "tests/unit/views/advice/advise_pytorch_cases.h"

namespace tfprof::wall_pytorch_times_test {
namespace {

constexpr int64_t kUs = 1'000'000;  // ps

// A step of 1,000 us: 500 us in the loader, of which a dataset sleeps for 400, then operations for
// 300 us in a function, and 100 us of Python in it.
StorePtr Loading() {
  return KinetoOf({
      {"python_function", "train.py(30): main", 0, 2000},
      {"user_annotation", "ProfilerStep#3", 0, 1000},
      {"user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0, 500},
      {"python_function", "torch/utils/data/dataloader.py(720): __next__", 1, 498},
      {"python_function", "data/files.py(5): __getitem__", 10, 480},
      {"python_function", "<built-in function sleep>", 20, 400},
      {"cpu_op", "aten::stack", 430, 20},
      {"python_function", "train.py(9): evaluate", 500, 400},
      {"cpu_op", "aten::mm", 550, 200},
      {"cpu_op", "AddmmBackward0", 760, 100},
      {"cpu_op", "aten::mm", 770, 80},
      {"user_annotation", "ProfilerStep#4", 1000, 1000},
      {"cpu_op", "aten::mm", 1000, 1000},
  });
}

}  // namespace

TEST_CASE("PyTorch: the wall time is that of operations, of the loader, and of the program") {
  const HostWall wall = WallOf(Loading());
  CHECK(wall.steps.origin == StepOrigin::marked);
  REQUIRE(wall.steps.steps.size() == 2);
  CHECK(wall.steps.numbers[0] == 3);
  CHECK(MicrosOf(wall, WallKind::compute) == 300 + 1000);
  CHECK(MicrosOf(wall, WallKind::input, "DataLoader") == 500);
  CHECK(MicrosOf(wall, WallKind::python, "evaluate") == 100);
  CHECK(MicrosOf(wall, WallKind::python, "main") == 0);  // it drives the steps
  CHECK(MicrosOf(wall, WallKind::eager) == 100);         // between two operations
}

TEST_CASE("PyTorch: a loader is named with the function that makes its elements") {
  const HostWall wall = WallOf(Loading());
  const auto input = std::ranges::find(wall.parts, WallKind::input, &WallPart::kind);
  REQUIRE(input != wall.parts.end());
  REQUIRE(!input->calls.empty());
  CHECK(input->calls[0].name == "__getitem__");
  REQUIRE(!input->leaves.empty());
  CHECK(input->leaves[0].name == "time.sleep");
  CHECK(input->leaves[0].amount == 400 * kUs);
}

TEST_CASE("PyTorch: without markers, steps go from one update of the optimizer to the next") {
  std::vector<KinetoEvent> events;
  for (int64_t step = 0; step < 4; ++step) {
    events.push_back({"cpu_op", "aten::mm", 100 * step, 50});
    events.push_back({"user_annotation", "Optimizer.step#SGD.step", 100 * step + 60, 10});
  }
  const HostWall wall = WallOf(KinetoOf(events));
  CHECK(wall.steps.origin == StepOrigin::inferred);
  CHECK(wall.steps.of == "Optimizer.step#SGD.step");
  CHECK(wall.steps.steps.size() == 3);
  CHECK(wall.steps.WindowPs() == 300 * kUs);
}

TEST_CASE("PyTorch: without steps, a function that starts all operations drives them") {
  const HostWall wall = WallOf(KinetoOf({
      {"python_function", "infer.py(30): main", 0, 1000},
      {"python_function", "infer.py(9): predict", 100, 300},
      {"cpu_op", "aten::mm", 100, 200},
      {"python_function", "infer.py(9): predict", 500, 300},
      {"cpu_op", "aten::mm", 500, 200},
  }));
  CHECK(wall.steps.steps.empty());
  CHECK(MicrosOf(wall, WallKind::compute) == 400);
  CHECK(MicrosOf(wall, WallKind::python, "predict") == 200);
  CHECK(MicrosOf(wall, WallKind::python, "main") == 0);
}

TEST_CASE("PyTorch: operations within torch.compile compute nothing") {
  const HostWall wall = WallOf(KinetoOf({
      {"user_annotation", "ProfilerStep#0", 0, 100},
      {"cpu_op", "dynamo", 10, 60},
      {"cpu_op", "compile_attempt_0 (dynamo_timed)", 15, 50},
      {"cpu_op", "aten::mm", 20, 30},
      {"cpu_op", "aten::mm", 80, 15},
  }));
  CHECK(MicrosOf(wall, WallKind::compile, "a torch.compile function") == 60);
  CHECK(MicrosOf(wall, WallKind::compute) == 15);
}

TEST_CASE("PyTorch: a collective on another thread is communication while nothing computes") {
  const HostWall wall = WallOf(KinetoOf({
      {"user_annotation", "ProfilerStep#0", 0, 100},
      {"cpu_op", "aten::mm", 0, 40},
      {"user_annotation", "gloo:all_reduce", 30, 50, 2},
  }));
  CHECK(MicrosOf(wall, WallKind::compute) == 40);
  CHECK(MicrosOf(wall, WallKind::communication) == 40);
  CHECK(wall.executions.collective_row != kNoRow);
}

TEST_CASE("PyTorch: torch.save makes the function around it a checkpoint") {
  const HostWall wall = WallOf(KinetoOf({
      {"user_annotation", "ProfilerStep#0", 0, 100},
      {"cpu_op", "aten::mm", 0, 10},
      {"python_function", "train.py(7): keep", 20, 50},
      {"python_function", "torch/serialization.py(900): save", 30, 30},
      {"cpu_op", "aten::mm", 90, 10},
  }));
  CHECK(MicrosOf(wall, WallKind::checkpoint, "keep") == 50);
}

TEST_CASE("PyTorch: with a device, its idle time is that of operations on the thread of backward") {
  const HostWall wall = WallOf(KinetoOf({
      {"user_annotation", "ProfilerStep#0", 0, 10000},
      {"python_function", "<built-in method run_backward of torch._C._EngineBase object at 0x7>",
       1000, 8000},
      {"cpu_op", "AddmmBackward0", 2000, 4000, 2},
      {"cuda_runtime", "cudaLaunchKernel", 3000, 500, 2, R"("correlation": 4)"},
      {"kernel", "gemm", 5000, 2000, 7, R"("correlation": 4, "device": 0, "stream": 7)"},
  }));
  CHECK(wall.has_devices);
  CHECK(MicrosOf(wall, WallKind::compute) == 2000);
  CHECK(MicrosOf(wall, WallKind::eager) == 3000);    // 2,000 to 5,000
  CHECK(MicrosOf(wall, WallKind::library) == 3000);  // run_backward, without operations
}

// Adds calls of 10 us at these times, and the kernels that they launch: start and us. Times count
// from the first event.
std::vector<KinetoEvent> Launches(std::vector<KinetoEvent> events,
                                  const std::vector<std::array<int64_t, 3>>& kernels) {
  for (const auto& [call_us, start_us, us] : kernels) {
    const std::string link = R"("correlation": )" + std::to_string(call_us);
    events.push_back({"cuda_runtime", "cudaLaunchKernel", call_us, 10, 1, link});
    events.push_back({"kernel", "gemm", start_us, us, 7, link + R"(, "device": 0, "stream": 7)"});
  }
  return events;
}

const KinetoEvent kEarlier{"kernel", "old", 50, 250, 7, R"("device": 0, "stream": 7)"};

std::vector<KinetoEvent> Updates() {
  std::vector<KinetoEvent> events;
  for (int64_t step = 0; step < 4; ++step) {
    events.push_back({"user_annotation", "Optimizer.step#SGD.step", 100 * step, 10});
  }
  return events;
}

TEST_CASE("PyTorch: a step of a device that is behind begins when it has done what came before") {
  const HostWall wall = WallOf(KinetoOf(Launches({{"user_annotation", "ProfilerStep#0", 0, 100},
                                                  {"user_annotation", "ProfilerStep#1", 100, 100},
                                                  kEarlier},
                                                 {{20, 300, 200}, {120, 500, 200}})));
  REQUIRE(wall.steps.steps.size() == 2);
  CHECK(wall.steps.steps[0] == Interval{300 * kUs, 500 * kUs});
  CHECK(wall.steps.steps[1] == Interval{500 * kUs, 700 * kUs});
}

TEST_CASE("PyTorch: inferred steps last until the device has done what they launch") {
  std::vector<KinetoEvent> events = Updates();
  events.push_back(kEarlier);  // launched before the recording began
  const StorePtr store = KinetoOf(
      Launches(events, {{20, 300, 200}, {120, 500, 200}, {220, 700, 200}, {320, 900, 200}}));
  const HostWall wall = WallOf(store);
  CHECK(wall.steps.origin == StepOrigin::inferred);
  REQUIRE(wall.steps.steps.size() == 3);  // what follows the last update is no step
  CHECK(wall.steps.steps[0] == Interval{300 * kUs, 500 * kUs});
  CHECK(wall.steps.steps[2] == Interval{700 * kUs, 900 * kUs});
  CHECK(wall.steps.on_thread[2] == Interval{200 * kUs, 300 * kUs});
  CHECK(MicrosOf(wall, WallKind::compute) == 600);
  Context context;
  const auto hosts = MeasureSteps(*store, Indexes(store), PlaceFilter::Exact(), context).value();
  REQUIRE(hosts[0].steps.size() == 3);
  CHECK(hosts[0].steps[1].duration_ps == 200 * kUs);
  CHECK(hosts[0].steps[1].OtherPs() == 0);
}

TEST_CASE("PyTorch: a host that is not ahead of its device has the steps of the thread") {
  const HostWall wall =
      WallOf(KinetoOf(Launches(Updates(), {{20, 40, 20}, {120, 140, 20}, {220, 240, 20}})));
  CHECK(wall.steps.steps == wall.steps.on_thread);
  CHECK(wall.steps.StepPs() == 100 * kUs);
}

TEST_CASE("PyTorch: a collective of a thread is communication while the device is idle") {
  const HostWall wall =
      WallOf(KinetoOf(Launches({{"user_annotation", "ProfilerStep#0", 0, 100},
                                {"python_function", "train.py(7): backward", 0, 100},
                                {"user_annotation", "gloo:all_reduce", 50, 40, 2}},
                               {{20, 40, 20}})));
  CHECK(MicrosOf(wall, WallKind::compute) == 20);
  CHECK(MicrosOf(wall, WallKind::communication) == 30);
  CHECK(wall.devices[0].idle_ps == 80 * kUs);
  CHECK(wall.executions.collective_row != kNoRow);
}

TEST_CASE("PyTorch: what the recorder did in no known process is no process of the program") {
  const TestFolder folder;
  WriteFile(
      folder / "a.json",
      R"([{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 0, "dur": 1},
                {"ph": "X", "cat": "overhead", "name": "Buffer", "pid": -1, "tid": 0, "ts": 0, "dur": 1}])");
  Context context;
  const StorePtr opened = Load({{folder / "a.json"}}, context).value();
  REQUIRE(opened->processes.size() == 2);
  CHECK(opened->processes[0].kind == ProcessKind::host);
  CHECK(opened->processes[1].kind == ProcessKind::metadata);
}

TEST_CASE("short operations count with the short gaps between them") {
  const StorePtr store = KinetoOf({
      {"user_annotation", "ProfilerStep#0", 0, 1000},
      {"python_function", "train.py(7): recurrence", 100, 500},
      {"cpu_op", "aten::mul", 100, 10},
      {"cpu_op", "aten::add", 112, 10},
      {"cpu_op", "aten::empty", 116, 2},  // 6 us after the first; the innermost one counts
      {"cpu_op", "aten::tanh", 170, 10},  // too late
      {"cpu_op", "aten::mm", 185, 100},   // too long
      {"cpu_op", "aten::mul", 290, 10},
      {"user_annotation", "Optimizer.step#SGD.step", 600, 100},
      {"cpu_op", "aten::add_", 610, 5},
  });
  const SmallOps ops = SmallOpsOf(*store, WallOf(store));
  CHECK(ops.count == 5);
  CHECK(ops.ps == (10 + 6 + 2 + 10 + 10 + 5) * kUs);
  REQUIRE(ops.places.size() == 2);
  CHECK(ops.places[0].name == "recurrence");
  CHECK(ops.places[0].amount == 4);
  CHECK(ops.places[1].name == "Optimizer.step#SGD.step");
  CHECK(ops.ops[0].name == "aten::mul");
}

TEST_CASE("PyTorch: with a device, a function shows the operations that it starts") {
  const StorePtr store = TorchStarting();
  const HostWall wall = WallOf(store);
  const auto part = std::ranges::find(wall.parts, WallKind::python, &WallPart::kind);
  REQUIRE(part != wall.parts.end());
  CHECK(part->name == "recurrence");
  CHECK(part->ps == 4 * (1350 - 30 * 5) * kUs);
  CHECK(part->calls[0].name == "aten::tanh");
  CHECK(part->leaves[0].name == "aten::tanh");  // not cudaLaunchKernel, which names no work
  const SmallOps ops = SmallOpsOf(*store, wall);
  CHECK(ops.in_parts[static_cast<size_t>(part - wall.parts.begin())] == 4 * (1345 - 30 * 5) * kUs);
}

TEST_CASE("PyTorch: without operations, launches count, and the short gaps between them") {
  const StorePtr store = KinetoOf(Launches({{"user_annotation", "ProfilerStep#0", 0, 1000},
                                            {"cuda_runtime", "cudaLaunchKernel", 100, 5},
                                            {"cuda_runtime", "cudaLaunchKernel", 115, 5},
                                            {"cuda_runtime", "cudaStreamSynchronize", 122, 2},
                                            {"cuda_runtime", "cudaLaunchKernel", 400, 5}},
                                           {{900, 920, 20}}));
  const SmallOps ops = SmallOpsOf(*store, WallOf(store));
  CHECK(ops.are_launches);
  CHECK(ops.count == 4);                         // with that of the kernel
  CHECK(ops.ps == (5 + 10 + 5 + 5 + 10) * kUs);  // not the wait
  CHECK(ops.ops[0].name == "cudaLaunchKernel");
}

TEST_CASE("PyTorch: a long operation that launches nothing runs on the host") {
  const HostWall wall = WallOf(TorchOnHost(6'000));
  CHECK(MicrosOf(wall, WallKind::host_op, "aten::embedding") == 4 * 6'000);
  CHECK(MicrosOf(WallOf(TorchOnHost(900)), WallKind::host_op) == 0);
  const HostWall cpu = WallOf(KinetoOf({
      {"user_annotation", "ProfilerStep#0", 0, 10'000},
      {"cpu_op", "aten::embedding", 0, 6'000},
  }));
  CHECK(MicrosOf(cpu, WallKind::host_op) == 0);
  CHECK(MicrosOf(cpu, WallKind::compute) == 6'000);
}

TEST_CASE("PyTorch: waits for a device count by what waits, and with the idle time after them") {
  const StorePtr store = TorchOnGpu([](const TorchGpuStep& step) {
    step.Host("python_function", "train.py(9): drop", 0, 2'000);
    step.Launch("aten::lt", 0, "lt", 100, 400);
    step.Host("cpu_op", "aten::index", 100, 800);
    step.Host("cpu_op", "aten::nonzero", 200, 600);
    step.Host("cuda_runtime", "cudaStreamSynchronize", 300, 250);
    step.Launch("aten::lt", 1'000, "lt", 1'000, 500);  // after 500 us
    step.Host("cuda_runtime", "cudaDeviceSynchronize", 1'200, 310);
    step.Launch("aten::mm", 2'600, "gemm", 2'600, 7'500);  // after more
  });
  const DeviceWaits waits = DeviceWaitsOf(*store, WallOf(store));
  CHECK(waits.recorded == 8);
  CHECK(waits.count == 8);
  CHECK(waits.idle_ps == 4 * 500 * kUs);
  REQUIRE(waits.calls.size() == 2);
  CHECK(waits.calls[0].name == "aten::nonzero of aten::index");
  CHECK(waits.calls[1].name == "cudaDeviceSynchronize");
  REQUIRE(waits.functions.size() == 1);
  CHECK(waits.functions[0].name == "drop");
}

// As tfprof-capture records PyTorch: ranges, and stacks at calls of CUDA, within the ranges.
TestLane RecordedStacks(const std::vector<std::pair<std::string, int64_t>>& functions) {
  TestLane lane{.name = "main"};
  const auto add = [&](const std::string& name, int64_t start_us, int64_t us) {
    lane.events.push_back({name, start_us * kUs, us * kUs});
  };
  for (int64_t step = 0; step < 3; ++step) {
    int64_t at_us = 1000 * step;
    add("train", at_us, 900);
    lane.events.back().details["step_number"] = step;
    for (const auto& [function, us] : functions) {
      add("$train.py:30 main", at_us, us);
      if (!function.empty()) {
        add("$train.py:9 " + function, at_us, us);
        add("$train.py:5 linear", at_us, us);
      }
      add("cudaLaunchKernel", at_us + us - 2, 2);
      at_us += us;
    }
  }
  return lane;
}

TEST_CASE("what all stacks of a recorder have in common drives the steps") {
  const auto python_of = [](const std::vector<std::pair<std::string, int64_t>>& functions,
                            const char* name) {
    const StorePtr store = TraceOf(
        {{.lanes = {RecordedStacks(functions)}},
         {.name = "/device:GPU:0", .lanes = {{.name = "Stream #7", .events = {{"k", 0, kUs}}}}}});
    return MicrosOf(WallOf(store), WallKind::python, name);
  };
  CHECK(python_of({{"forward", 100}, {"log", 500}}, "main") == 0);
  CHECK(python_of({{"forward", 100}, {"log", 500}}, "log") > 1000);
  CHECK(python_of({{"forward", 100}, {"", 500}}, "forward") > 0);
  CHECK(python_of({{"", 600}}, "main") > 1000);  // nothing says that it drives them
}

TEST_CASE("functions that start work drive the steps, and name their own time only") {
  TestLane lane{.name = "main"};
  const auto add = [&](const std::string& name, int64_t start_us, int64_t us) {
    lane.events.push_back({name, start_us * kUs, us * kUs});
  };
  add("$train.py:30 main", 0, 3000);
  for (int64_t at_us = 0; at_us < 3000; at_us += 1000) {
    add("$data.py:17 load_batch", at_us, 600);
    add("$data.py:9 decode", at_us + 100, 400);
    add("$train.py:9 step", at_us + 600, 100);
    add("cudaLaunchKernel", at_us + 690, 2);
  }
  const StorePtr store = TraceOf(
      {{.lanes = {lane}},
       {.name = "/device:GPU:0", .lanes = {{.name = "Stream #7", .events = {{"k", 0, kUs}}}}}});
  const HostWall wall = WallOf(store);
  CHECK(MicrosOf(wall, WallKind::python, "load_batch") == 3 * 600 - 1);
  CHECK(MicrosOf(wall, WallKind::python, "decode") == 0);
  CHECK(MicrosOf(wall, WallKind::python, "step") == 3 * 100);
  CHECK(MicrosOf(wall, WallKind::python, "main") == 3 * 300);
}

TEST_CASE("a long operation that launches work is none of the host") {
  CHECK(MicrosOf(WallOf(TorchOnHost(6'000)), WallKind::host_op) == 24'000);
  CHECK(MicrosOf(WallOf(TorchOnHost(6'000, true)), WallKind::host_op) == 0);
}

}  // namespace tfprof::wall_pytorch_times_test
