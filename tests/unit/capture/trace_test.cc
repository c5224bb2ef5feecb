// SPDX-License-Identifier: Apache-2.0
#include "capture/writers/trace.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "capture/spool/format.h"
#include "proto/graph.pb.h"
#include "proto/run_metadata.pb.h"
#include "proto/tfprof_log.pb.h"
#include "proto/xplane.pb.h"
#include "tests/support/spool_of.h"

namespace tfprof::capture::capture_trace_test {
namespace {

namespace fs = std::filesystem;

using Texts = std::vector<std::string>;

TEST_CASE("ranges become operations of their path, and work those of the range of its call") {
  Spool spool;
  spool.Name(1, "forward");
  spool.Name(2, "dense");
  spool.Name(3, "_Z4gemmPf");
  spool.Push(10, 1);
  spool.Push(20, 2);
  spool.Call(21, 25, 7);
  spool.Pop(30);
  spool.Pop(50);
  spool.Gpu(3, 13);
  spool.Kernel(40, 100, 7);
  TraceCounts counts;
  const pb::XSpace space = spool.Trace(&counts);
  REQUIRE(space.planes_size() == 2);
  CHECK(space.planes(0).name() == "/host:CPU");
  CHECK(Events(space.planes(0)) == Texts{"thread 100: forward:forward 10+40",
                                         "thread 100: forward/dense:dense 20+10",
                                         "thread 100: call 307 21+4 correlation_id=7"});
  CHECK(space.planes(1).name() == "/device:GPU:0");
  CHECK(Events(space.planes(1)) ==
        Texts{"Stream #13(Compute): gemm(float*) 40+60 kernel_details=regs:8 static_shared:0 "
              "dynamic_shared:0 grid:2,1,1 block:32,1,1 tf_op=forward/dense/gemm:gemm "
              "range_path=//forward/dense/gemm correlation_id=7 context_id=1"});
  CHECK(counts.unattributed == 0);
}

TEST_CASE("names stay as the program gives them, beside those that XProf reads") {
  Spool spool;
  spool.Name(1, "Optimizer.step#AdamW.step");
  spool.Name(2, "aten::add");
  spool.Name(3, "aten..add");
  spool.Name(4, "_ZN2at6KernelEPf");
  spool.Push(10, 1);
  spool.Call(11, 12, 1);
  spool.Push(20, 2);
  spool.Call(21, 22, 2);
  spool.Pop(23);
  spool.Push(30, 3);
  spool.Pop(31);
  spool.Pop(50);
  spool.Gpu(4, 13);
  spool.Kernel(60, 61, 1);
  spool.Kernel(70, 71, 2);
  TraceCounts counts;
  const pb::XSpace space = spool.Trace(&counts);
  const pb::XPlane& host = space.planes(0);
  std::set<Texts> names;
  for (const auto& [id, name] : host.event_metadata()) {
    if (name.stats_size() == 0) continue;
    CHECK(host.stat_metadata().at(name.stats(0).metadata_id()).name() == "range_path");
    names.insert({name.name(), name.display_name(), name.stats(0).str_value()});
  }
  // Two ranges that XProf reads alike are two.
  const std::string step = "Optimizer.step_AdamW.step", said = "Optimizer.step#AdamW.step";
  CHECK(names ==
        std::set<Texts>{{step + ":Optimizer_step_AdamW_step", said, "//" + said},
                        {step + "/aten..add:aten__add", "aten::add", "//" + said + "/aten::add"},
                        {step + "/aten..add:aten__add", "aten..add", "//" + said + "/aten..add"}});
  const Texts device = Events(space.planes(1));
  REQUIRE(device.size() == 2);
  CHECK(device[0].find("tf_op=" + step + "/Kernel:Kernel range_path=//" + said + "/Kernel ") !=
        std::string::npos);
  // The kernels of an operator are the operator.
  CHECK(device[1].find("tf_op=" + step + "/aten..add:aten__add range_path=//" + said +
                       "/aten::add ") != std::string::npos);
}

TEST_CASE("steps are no part of paths, and number what is launched in them") {
  Spool spool;
  spool.Name(1, "step 41");
  spool.Name(2, "step 42");
  spool.Name(3, "f");
  for (uint32_t i = 0; i < 2; ++i) {
    spool.Push(100 * i + 1, 1 + i);
    spool.Push(100 * i + 2, 3);
    spool.Call(100 * i + 3, 100 * i + 4, 5 + i);
    spool.Pop(100 * i + 5);
    spool.Pop(100 * i + 9);
  }
  spool.Gpu(3);
  spool.Kernel(300, 310, 6);  // runs after both; belongs to the step of its launch
  TraceCounts counts;
  const pb::XSpace space = spool.Trace(&counts);
  CHECK(Events(space.planes(0)) ==
        Texts{"thread 100: train step 41 1+8 step_num=41 _r=1 group_id=41",
              "thread 100: f:f 2+3 group_id=41",
              "thread 100: call 307 3+1 correlation_id=5 group_id=41",
              "thread 100: train step 42 101+8 step_num=42 _r=1 group_id=42",
              "thread 100: f:f 102+3 group_id=42",
              "thread 100: call 307 103+1 correlation_id=6 group_id=42"});
  const Texts device = Events(space.planes(1));
  REQUIRE(device.size() == 2);
  CHECK(device[0].find("tf_op=f/f:f ") != std::string::npos);
  CHECK(device[0].ends_with("group_id=42"));
  CHECK(device[1] == "Steps: 42 300+10 group_id=42");
}

TEST_CASE("work whose call is recorded later waits for it") {
  Spool spool;
  spool.Name(1, "copying");
  spool.Name(2, "k");
  spool.Push(1, 1);
  spool.Gpu(2);
  spool.Kernel(5, 6, 9);
  spool.Call(2, 50, 9);  // it waited for the work
  spool.Pop(60);
  TraceCounts counts;
  const pb::XSpace space = spool.Trace(&counts);
  CHECK(counts.unattributed == 0);
  CHECK(Events(space.planes(1))[0].find("tf_op=copying/k:k ") != std::string::npos);
}

TEST_CASE("work outside of ranges is an operation of its kernel; without a call it is counted") {
  Spool spool;
  spool.Name(1, "_ZN2at6nativeEPf");
  spool.Call(1, 2, 3);
  spool.Gpu(1);
  spool.Kernel(10, 20, 3);
  spool.Kernel(30, 40, 77);
  spool.Kernel(0, 0, 3);  // without times
  TraceCounts counts;
  const pb::XSpace space = spool.Trace(&counts);
  const Texts device = Events(space.planes(1));
  REQUIRE(device.size() == 2);
  CHECK(device[0].find("tf_op=native:native ") != std::string::npos);
  CHECK(counts.unattributed == 1);
  CHECK(counts.zero_time == 1);
}

TEST_CASE("a thread without ranges works for the only one that is in a range") {
  constexpr uint32_t kBackward = 200, kOther = 300;
  Spool spool;
  spool.Name(1, "backward");
  spool.Name(2, "k");
  spool.Name(3, "other");
  spool.Gpu(2);
  spool.Call(20, 21, 1, kBackward);
  spool.Call(60, 61, 2, kBackward);
  spool.Call(90, 91, 3, kBackward);
  spool.Push(10, 1);
  spool.Pop(70);
  spool.Push(50, 3, 0, kOther);  // two are in ranges: it may be of either
  spool.Pop(80, 0, kOther);
  for (uint32_t i = 1; i <= 3; ++i) spool.Kernel(100 * i, 100 * i + 1, i);
  TraceCounts counts;
  const Texts device = Events(spool.Trace(&counts).planes(1));
  REQUIRE(device.size() == 3);
  CHECK(device[0].find("tf_op=backward/k:k ") != std::string::npos);
  CHECK(device[1].find("tf_op=k:k ") != std::string::npos);
  CHECK(device[2].find("tf_op=k:k ") != std::string::npos);
}

TEST_CASE("operations of frameworks have their own paths, inside the regions of the program") {
  Spool spool;
  spool.Name(1, "TSL");
  spool.Name(2, "train");
  spool.Name(3, "XlaModule:#prefix=args[0],hlo_module=jit_step,program_id=5#");
  spool.Name(4, "Thunk:#name=jit(step)/while,hlo_op=while.1,unique_hlo_op_id=1#");
  spool.Name(5, "Thunk:#name=jit(step)/while/body/dot_general,hlo_op=fusion.3#");
  spool.Name(6, "XlaCompile:#module=jit_step#");
  spool.Name(7, "model/dense/MatMul:MatMul");
  spool.Name(8, "k");
  DomainRecord domain{.name = 1};
  domain.head.id = 1;
  spool.Add(domain);
  spool.Push(1, 2);
  spool.Push(2, 3, 1);
  spool.Push(3, 4, 1);
  spool.Push(4, 5, 1);
  spool.Call(5, 6, 9);
  for (uint64_t at = 7; at < 10; ++at) spool.Pop(at, 1);
  spool.Push(10, 6, 1);
  spool.Pop(11, 1);
  spool.Push(12, 7, 1);
  spool.Call(13, 14, 10);
  spool.Pop(15, 1);
  spool.Pop(20);
  spool.Gpu(8);
  spool.Kernel(30, 40, 9);
  spool.Kernel(50, 60, 10);
  TraceCounts counts;
  const pb::XSpace space = spool.Trace(&counts);
  CHECK(Events(space.planes(0)) ==
        Texts{"thread 100: train:train 1+19", "thread 100: jit_step:XLA GPU module 2+7",
              "thread 100: train/jit(step)/while:while 3+5",
              "thread 100: train/jit(step)/while/body/dot_general:dot_general 4+3",
              "thread 100: call 307 5+1 correlation_id=9", "thread 100: XlaCompile jit_step 10+1",
              "thread 100: train/model/dense/MatMul:MatMul 12+3",
              "thread 100: call 307 13+1 correlation_id=10"});
  const Texts device = Events(space.planes(1));
  REQUIRE(device.size() == 2);
  CHECK(device[0].find("tf_op=train/jit(step)/while/body/dot_general:dot_general ") !=
        std::string::npos);
  CHECK(device[0].ends_with("hlo_op=fusion.3 hlo_module=jit_step program_id=5"));
  CHECK(device[1].find("tf_op=train/model/dense/MatMul:MatMul ") != std::string::npos);
}

TEST_CASE("waits say what they are for") {
  Spool spool;
  spool.Call(1, 9, 4);
  WaitRecord wait{.start = kStart + 1, .end = kStart + 9, .stream = 7, .event = UINT32_MAX};
  wait.head.id = 4;
  spool.Add(wait);
  TraceCounts counts;
  CHECK(Events(spool.Trace(&counts).planes(0)) ==
        Texts{"thread 100: call 307 1+8 correlation_id=4 stream_id=7"});
}

TEST_CASE("a call that CUPTI reports as well is shown once") {
  Spool spool;
  spool.Name(1, "f");
  spool.Push(0, 1);
  spool.Call(10, 20, 7);
  spool.Pop(100);
  for (const uint32_t callback : {307u, 652u}) {  // 652: inside, of the same correlation
    ApiRecord api{.start = kStart + 9,
                  .end = kStart + 21,
                  .domain = ApiDomain::driver,
                  .callback = callback,
                  .thread = kThread};
    api.head.id = 7;
    spool.Add(api);
  }
  TraceCounts counts;
  CHECK(Events(spool.Trace(&counts).planes(0)) ==
        Texts{"thread 100: f:f 0+100", "thread 100: call 307 10+10 correlation_id=7",
              "thread 100: call 652 9+12 correlation_id=7"});
}

TEST_CASE("other domains have lines of their own and do not change paths") {
  Spool spool;
  spool.Name(1, "outer");
  spool.Name(2, "NCCL");
  spool.Name(3, "ncclAllReduce");
  spool.Name(4, "inner");
  DomainRecord domain{.name = 2};
  domain.head.id = 1;
  spool.Add(domain);
  spool.Push(1, 1);
  spool.Push(2, 3, 1);
  spool.Push(3, 4);
  spool.Pop(4, 1);  // not nested: the domains are independent
  spool.Pop(5);
  spool.Pop(6);
  TraceCounts counts;
  const pb::XSpace space = spool.Trace(&counts);
  CHECK(Events(space.planes(0)) == Texts{"thread 100: outer:outer 1+5",
                                         "thread 100: outer/inner:inner 3+2",
                                         "thread 100, NCCL: NCCL: ncclAllReduce 2+2"});
  CHECK(counts.unmatched == 0);
}

TEST_CASE("ranges that are open at the end last until then; ends without a start are counted") {
  Spool spool;
  spool.Name(1, "open");
  spool.Name(2, "inside");
  spool.Pop(1);
  spool.Push(10, 1);
  spool.Push(20, 2);
  spool.Pop(30);
  TraceCounts counts;
  const pb::XSpace space = spool.Trace(&counts);
  CHECK(Events(space.planes(0)) ==
        Texts{"thread 100: open:open 10+20 unfinished=1", "thread 100: open/inside:inside 20+10"});
  CHECK(counts.unfinished == 1);
  CHECK(counts.unmatched == 1);
}

TEST_CASE("allocations add up per device") {
  Spool spool;
  spool.Lane(1, 0, 7);
  MemoryRecord pinned{.time = kStart, .bytes = 1000, .correlation = 5, .kind = 2};
  pinned.head.id = 1;
  spool.Add(pinned);  // of the host: it is not the device's
  spool.Memory(1, 100, false);
  spool.Memory(2, 50, false);
  spool.Memory(3, 100, true);
  TraceCounts counts;
  const Texts events = Events(spool.Trace(&counts).planes(0));
  CHECK(counts.unattributed == 0);
  REQUIRE(events.size() == 3);
  CHECK(events[1].find("bytes_allocated=150 peak_bytes_in_use=150") != std::string::npos);
  CHECK(events[2].find("MemoryDeallocation 3+0") != std::string::npos);
  CHECK(events[2].find("bytes_allocated=50 peak_bytes_in_use=150") != std::string::npos);
}

TEST_CASE("allocations add up in order of time, whenever they are recorded") {
  Spool spool;
  spool.Lane(1, 0, 7);
  // Another thread's chunk comes before that of the call that allocates.
  spool.Memory(10, 100, false, 1);
  spool.Call(19, 21, 2);
  spool.Memory(20, 100, true, 2);
  spool.Memory(15, 30, false, 3);
  spool.Call(9, 11, 1, 200);
  spool.Call(14, 16, 3, 200);
  TraceCounts counts;
  std::set<std::string> levels;
  for (const std::string& event : Events(spool.Trace(&counts).planes(0))) {
    const size_t at = event.find("bytes_allocated=");
    if (at != event.npos) levels.insert(event.substr(at, event.find(" bytes_reserved") - at));
  }
  CHECK(levels == std::set<std::string>{"bytes_allocated=100 peak_bytes_in_use=100",
                                        "bytes_allocated=130 peak_bytes_in_use=130",
                                        "bytes_allocated=30 peak_bytes_in_use=130"});
}

// "device: node start+microseconds" of a step, in the order of devices and events; times from
// kStart.
Texts Executions(const pb::RunMetadata& run) {
  Texts executions;
  for (const pb::DeviceStepStats& device : run.step_stats().dev_stats()) {
    for (const pb::NodeExecStats& node : device.node_stats()) {
      executions.push_back(device.device() + ": " + node.node_name() + " " +
                           std::to_string(node.all_start_nanos() - static_cast<int64_t>(kStart)) +
                           "+" + std::to_string(node.op_end_rel_micros()) + " (" +
                           std::to_string(node.op_end_rel_nanos()) + " ns)");
    }
  }
  return executions;
}

TEST_CASE("run metadata has self times of ranges, launches, and work by stream and in all") {
  Spool spool;
  spool.Name(1, "outer");
  spool.Name(2, "inner");
  spool.Name(3, "_Z4gemmPf");
  spool.Push(0, 1);
  spool.Push(10'000, 2);
  spool.Call(12'000, 15'000, 7);
  spool.Pop(20'000);
  spool.Pop(50'000);
  spool.Gpu(3, 13);
  spool.Kernel(30'000, 31'500, 7);
  spool.Kernel(32'000, 33'500, 7);  // 1.5 us each: 3 together
  TraceCounts counts;
  spool.Trace(&counts, 1);
  const std::string task = "/job:localhost/replica:0/task:0/device:";
  CHECK(Executions(spool.Exported<pb::RunMetadata>(".run_meta_step0")) ==
        Texts{"/device:GPU:0/stream:13: outer/inner/gemm 30000+1 (1500 ns)",
              "/device:GPU:0/stream:13: outer/inner/gemm 32000+2 (1500 ns)",
              "/device:GPU:0/stream:all: outer/inner/gemm 30000+1 (1500 ns)",
              "/device:GPU:0/stream:all: outer/inner/gemm 32000+2 (1500 ns)",
              task + "CPU:0: outer/inner 10000+7 (7000 ns)",         // less the call
              task + "CPU:0: outer 0+40 (40000 ns)",                 // less the inner range
              task + "GPU:0: outer/inner/gemm 12000+3 (3000 ns)"});  // one call
  const auto graph = spool.Exported<pb::GraphDef>(".graph");
  REQUIRE(graph.node_size() == 3);
  CHECK(graph.node(0).name() == "outer/inner");
  CHECK(graph.node(2).name() == "outer/inner/gemm");
  CHECK(graph.node(2).op() == "gemm");
  const auto log = spool.Exported<pb::OpLogProto>(".op_log");
  REQUIRE(log.log_entries_size() == 3);
  CHECK(log.log_entries(2).types(0) == "kernel");
}

TEST_CASE("run metadata is of one step each, of the first that are wanted") {
  Spool spool;
  spool.Name(1, "step 5");
  spool.Name(2, "step 6");
  spool.Name(3, "f");
  for (uint32_t i = 0; i < 2; ++i) {
    spool.Push(100'000 * i + 1, 1 + i);
    spool.Push(100'000 * i + 2, 3);
    spool.Pop(100'000 * i + 5'002);
    spool.Pop(100'000 * i + 9'000);
  }
  TraceCounts counts;
  spool.Trace(&counts, 1);
  CHECK(Executions(spool.Exported<pb::RunMetadata>(".run_meta_step5")) ==
        Texts{"/job:localhost/replica:0/task:0/device:CPU:0: f 2+5 (5000 ns)"});
  CHECK_FALSE(spool.Exists(".run_meta_step6"));
}

namespace {

void NameFunctions(Spool* spool) {
  spool->Name(2, "a.py");
  spool->Name(3, "main");
  spool->Name(4, "load");
}

// A stack of two functions.
template <uint32_t kId>
void AddStack(uint32_t inner, uint32_t outer, Spool* spool) {
  struct {
    StackRecord head;
    uint32_t frames[2];
  } record = {};
  record.head.count = 2;
  record.head.head.id = kId;
  record.head.head.bytes = sizeof record;
  record.frames[0] = inner;
  record.frames[1] = outer;
  spool->Add(record);
}

void AddFrame(uint32_t id, uint32_t function, uint32_t line, Spool* spool) {
  FrameRecord frame{.file = 2, .function = function, .line = line};
  frame.head.id = id;
  spool->Add(frame);
}

void AddSample(uint64_t since, uint64_t time, uint32_t stack, Spool* spool) {
  SampleRecord sample{.time = kStart + time, .since = kStart + since, .thread = kThread};
  sample.head.id = stack;
  spool->Add(sample);
}

}  // namespace

TEST_CASE("samples are functions around calls, and between the ends of ranges") {
  Spool spool;
  spool.Name(1, "range");
  NameFunctions(&spool);
  AddFrame(1, 3, 5, &spool);
  AddFrame(2, 4, 7, &spool);
  AddFrame(3, 4, 9, &spool);
  AddFrame(4, 3, 6, &spool);
  AddStack<1>(2, 1, &spool);
  AddStack<2>(3, 4, &spool);
  AddSample(10, 10, 1, &spool);
  AddSample(10, 15, 1, &spool);
  AddSample(15, 20, 2, &spool);
  AddSample(20, 30, 1, &spool);
  AddSample(30, 38, 1, &spool);
  AddSample(50, 60, 2, &spool);  // a pause was before it
  AddSample(60, 70, 1, &spool);
  spool.Call(18, 24, 7);
  spool.Push(26, 1);
  spool.Pop(40);
  spool.Call(58, 64, 8);
  TraceCounts counts;
  const pb::XSpace space = spool.Trace(&counts);
  REQUIRE(space.planes(0).lines_size() == 1);
  CHECK(Events(space.planes(0)) ==
        Texts{"thread 100: $a.py:5 main 10+5", "thread 100: $a.py:7 load 10+5",
              "thread 100: $a.py:6 main 15+11", "thread 100: $a.py:9 load 15+11",
              "thread 100: call 307 18+6 correlation_id=7", "thread 100: range:range 26+14",
              "thread 100: $a.py:5 main 27+13", "thread 100: $a.py:7 load 27+13",
              "thread 100: $a.py:6 main 50+14", "thread 100: $a.py:9 load 50+14",
              "thread 100: call 307 58+6 correlation_id=8", "thread 100: $a.py:5 main 64+6",
              "thread 100: $a.py:7 load 64+6"});
}

TEST_CASE("samples of a window are functions in it, not all at its start") {
  Spool spool;
  spool.Name(1, "f");
  NameFunctions(&spool);
  AddFrame(1, 3, 5, &spool);
  AddFrame(2, 4, 7, &spool);
  AddStack<1>(2, 1, &spool);
  spool.Window(1, 100, 200);
  AddSample(105, 110, 1, &spool);
  AddSample(130, 140, 1, &spool);
  spool.Resume(1, 100);
  spool.Push(120, 1);
  spool.Pop(160);
  TraceCounts counts;
  CHECK(Events(spool.Trace(&counts).planes(0)) ==
        Texts{"thread 100: $a.py:5 main 105+15", "thread 100: $a.py:7 load 105+15",
              "thread 100: f:f 120+40 group_id=0", "thread 100: $a.py:5 main 130+30",
              "thread 100: $a.py:7 load 130+30",
              "windows: train window 0 100+100 step_num=0 _r=1 group_id=0"});
}

TEST_CASE("the only events of a thread may be samples, and many of them are written in order") {
  Spool spool;
  NameFunctions(&spool);
  AddFrame(1, 3, 5, &spool);
  AddFrame(2, 4, 7, &spool);
  AddFrame(3, 4, 9, &spool);
  AddStack<1>(2, 1, &spool);
  AddStack<2>(3, 1, &spool);
  constexpr uint64_t kSamples = 50'000;
  for (uint64_t i = 0; i < kSamples; ++i)
    AddSample(10 * i, 10 * i + 10, i % 2 == 0 ? 1 : 2, &spool);
  TraceCounts counts;
  const pb::XSpace space = spool.Trace(&counts);
  REQUIRE(space.planes(0).lines_size() == 1);
  int64_t last = 0, inner_ps = 0;
  for (const pb::XEvent& event : space.planes(0).lines(0).events()) {
    REQUIRE(event.offset_ps() >= last);
    last = event.offset_ps();
    const std::string& name = space.planes(0).event_metadata().at(event.metadata_id()).name();
    if (name != "$a.py:5 main") inner_ps += event.duration_ps();
  }
  CHECK(inner_ps > 10'000 * static_cast<int64_t>(kSamples) * 999 / 1000);
}

TEST_CASE("more events than memory holds are written in order") {
  Spool spool;
  spool.Name(1, "a");
  char folder[] = "/tmp/capture-test-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  XSpace space(folder, kStart, 1 << 20);
  const auto plane = space.AddPlane("/host:CPU");
  const auto line = space.AddLine(plane, 1, "t");
  const uint64_t name = space.EventName(plane, "a");
  constexpr int64_t kEvents = 200'000;  // 14 bytes each and more: over 1 MiB
  for (int64_t i = 0; i < kEvents; ++i) {
    space.Begin(line, name, kStart + static_cast<uint64_t>(i),
                kStart + static_cast<uint64_t>(i) + 1);
    space.Integer("n", i);
    space.End();
  }
  const std::string path = std::string(folder) + "/a.pb";
  const int out = open(path.c_str(), O_CREAT | O_RDWR, 0600);
  REQUIRE(space.Write(out) == 0);
  lseek(out, 0, SEEK_SET);
  pb::XSpace parsed;
  REQUIRE(parsed.ParseFromFileDescriptor(out));
  close(out);
  fs::remove_all(folder);
  REQUIRE(parsed.planes(0).lines(0).events_size() == kEvents);
  bool in_order = true;
  for (int64_t i = 0; i < kEvents; ++i) {
    in_order &= parsed.planes(0).lines(0).events(static_cast<int>(i)).offset_ps() == i * 1000;
  }
  CHECK(in_order);
}

}  // namespace
}  // namespace tfprof::capture::capture_trace_test
