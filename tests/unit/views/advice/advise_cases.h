// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"
#include "tests/unit/views/advice/advise_pytorch_cases.h"
#include "tests/unit/views/advice/advise_trace_cases.h"
#include "tests/unit/views/advice/advise_wall_cases.h"
#include "views/advice/finding.h"

namespace tfprof {

// A small profile with a finding, and one like it without.
struct AdviseCase {
  FindingId id;
  const char* finding;  // part of its sentence
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

// A node that some of the nodes of the graph ran beside, and streams that were not traced.
inline StorePtr PartlyRecorded(bool all) {
  const StorePtr store = Convolution("NCHW");
  Store& changed = const_cast<Store&>(*store);
  changed.steps[0].lacks_accelerator_stream = !all;
  Source source;
  source.path = "run";
  source.covered_nodes = all ? 4 : 1;
  source.known_nodes = 4;
  changed.sources.push_back(source);
  return store;
}

inline StorePtr OneMul(const std::string& name, const std::string& type = "Mul") {
  return StoreOf({{.name = name, .type = type}}, {{.node = name, .us = 7}});
}

inline std::vector<AdviseCase> AdviseCases() {
  using enum FindingId;
  return {
      {accelerator_underused, "is busy for 20.0% of its step time", 80, OneOnGpu(20), OneOnGpu(95)},
      {dominant_type, "Type1 takes 90.0% of operation time", 90, TypesOf({10, 90}),
       TypesOf({10, 10, 10, 10, 10, 10})},
      {dominant_scope, "operation n1 takes 90.0% of operation time", 90, TypesOf({10, 90}),
       TypesOf({10, 10, 10})},
      {dominant_async_done_type, "copy-done waits for 100.0% of operation time", 7,
       OneMul("a", "copy-done"), OneMul("a")},
      {nhwc_on_accelerator, "1 convolution or pooling operation on an accelerator with data_format",
       40, Convolution("NHWC"), Convolution("NCHW")},
      {unfused_batch_norm, "batch normalization consists of 1 operation", 7,
       OneMul("net/BatchNorm/mul"), OneMul("net/norm/mul")},
      {no_run, "no run was recorded", kNoInt, StoreOf({{.name = "a"}}), OneMul("a")},
      {no_step, "no step was recorded", kNoInt,
       TraceOf({{.lanes = {{.name = "main", .events = {{"MatMul:MatMul", 0, 5}}}}}}),
       HostWaiting(4)},
      {one_step, "one step was recorded", kNoInt, GpuStepsOf({10}), GpuStepsOf({10, 10})},
      {one_step, "one step was recorded", kNoInt, StepsOf({10}), StepsOf({10, 10})},
      {input_not_recorded, "it is unknown whether steps wait for input", kNoInt, HostRunning(90),
       HostWaiting(4)},
      {low_coverage, "the runs cover 25.0% of the graph", kNoInt, PartlyRecorded(false),
       PartlyRecorded(true)},
      {few_shapes, "0.0% of the graph's nodes have output shapes", kNoInt, TwoOnCpu(10),
       StepsOf({10, 10})},
      {streams_not_traced, "its streams were not traced", kNoInt, PartlyRecorded(false),
       PartlyRecorded(true)},
      {device_idle, "is idle for 80.0% of its step time", 80, TwoOnCpu(90), TwoOnCpu(10)},
      {device_idle, "/device:GPU:0 is idle for 45.0% of its step time", 9,
       GpuTrace({{.gap_us = 9}}), GpuTrace({{.gap_us = 1}})},
      {cpu_between_accelerator, "1 CPU operation between accelerator operations", 70,
       Between("/device:cpu:0"), Between("/device:gpu:0")},
      {copy_engine_busy, "copies between host and device for 20.0% of a step", 200, Copies(200),
       Copies(5)},
      {slow_first_step, "step 0 takes 10.0 times as long as the others", 30, StepsOf({100, 10, 10}),
       StepsOf({10, 10, 10})},
      {slow_first_step, "step 0 takes 10.0 times as long as the others", 30,
       GpuStepsOf({100, 10, 10}), GpuStepsOf({10, 10, 10})},
      {steps_vary, "the slowest step takes 3.0 times as long as the fastest", 10,
       StepsOf({10, 10, 30}), StepsOf({90, 10, 10})},
      {steps_vary, "the slowest step takes 3.0 times as long as the fastest", 10,
       GpuStepsOf({10, 10, 30}), GpuStepsOf({90, 10, 10})},
      {steps_vary, "the slowest step takes 2.0 times as long as the fastest", 5,
       GpuStepsOf({10, 10, 20, 10, 20, 1}), GpuStepsOf({90, 10, 10, 10, 10, 1})},
      {largest_peak_memory, "a has the largest peak memory: 75.0% of the peaks", kNoInt,
       StoreOf({{.name = "a"}, {.name = "b"}},
               {{.node = "a", .bytes = 300 << 20, .peak_bytes = 300 << 20},
                {.node = "b", .bytes = 100 << 20, .peak_bytes = 100 << 20}}),
       TwoOnCpu(10)},
      {memory_at_peak, "largest holder of memory at the peak of allocator gpu: mul, 75.0%", kNoInt,
       Allocations(true), Allocations(false)},
      {memory_at_peak, "operations whose names were not recorded, 75.0%", kNoInt,
       TraceOf({Allocating(true, "host", "(null)")}), Allocations(false)},
      {memory_at_peak, "largest holder of memory at the peak of allocator gpu of a: mul, 75.0%",
       kNoInt, TraceOf({Allocating(true, "a"), Allocating(false, "b")}), Allocations(false)},
      {accelerator_underused, "/device:GPU:1 is busy for 20.0% of its step time", 80,
       TraceOf({GpuWith({{.compute_us = 100}}), GpuWith({{.compute_us = 20}}, 1)}),
       TraceOf({GpuWith({{.compute_us = 100}}), GpuWith({{.compute_us = 90}}, 1)})},
      {exposed_copies_in, "copies to devices take 20.0% of step time while nothing computes", 20,
       GpuTrace({{.copy_in_us = 20, .compute_us = 80}}), GpuTrace({{.compute_us = 100}})},
      {exposed_copies_out, "copies from devices take 20.0% of step time while nothing computes", 20,
       GpuTrace({{.compute_us = 80, .copy_out_us = 20}}),
       GpuTrace({{.compute_us = 1000, .copy_out_us = 5}})},
      {input_bound, "input takes 20.0% of step time: waiting for it", 20, HostWaiting(20),
       HostWaiting(4)},
      {input_bound, "input takes 6.0% of step time: waiting for it", 6, HostWaiting(6),
       GpuStepsOf({10, 10})},
      {input_bound, "input takes 20.0% of step time: copying it to devices", 20,
       GpuTrace({{.copy_in_us = 20, .compute_us = 80}}),
       GpuTrace({{.copy_in_us = 4, .compute_us = 96}})},
      {step_time_without_device_work, "devices are idle for 19.0% of step time", 19,
       GpuTrace({{.compute_us = 80, .gap_us = 19}}), GpuTrace({{.compute_us = 90, .gap_us = 9}})},
      {step_time_without_operations, "no operation was recorded for 15.0% of step time", 15,
       HostWaiting(4, 15), HostWaiting(4, 14)},
      {time_between_steps, "33.3% of the time from the first step to the last is between steps",
       100, HostWaiting(4), GpuStepsOf({1000, 1000})},
      {dominant_type, "MatMul takes 100.0% of operation time, up to 86.0% of step time", kNoInt,
       HostRunning(86), HostRunning(19)},
      {dominant_type, "up to 20.0% of step time", kNoInt, TwoGpus(40), TwoGpus(39)},
      {dominant_type, "up to 50.0% of the time that the trace covers", kNoInt,
       TraceOf({{.lanes = {{.name = "main", .events = {{"m:MatMul", 0, 50}, {"rest", 60, 40}}}}}}),
       TraceOf({{.lanes = {{.name = "main", .events = {{"m:MatMul", 0, 19}, {"rest", 60, 40}}}}}})},
      {late_device,
       "/device:GPU:1 comes last to collectives: others wait for it for 30.0% of step time", 30,
       Exchanging(60, 90), Exchanging(88, 90)},
      {late_device, "b /device:GPU:1 comes last to collectives", 30, Exchanging(60, 90, true),
       Exchanging(90, 90, true)},
      {slow_host, "steps take 1.2 times as long on b as on the other hosts", 20, TwoHosts(100, 120),
       TwoHosts(95, 100)},
      {slow_host, "as on the other hosts; hosts do not run in step", 50, TwoHosts(100, 50, 200),
       HostWaiting(4)},
      // Never in a step at the same time.
      {slow_host, "steps take 2.0 times as long on b as on the other hosts; hosts do not run", 50,
       TwoHosts(50, 100, 5000), TwoHosts(95, 100, 5000)},
      {exposed_collectives, "exposed communication takes 20.0% of step time", 20,
       GpuTrace({{.compute_us = 80, .exchange_us = 20}}),
       GpuTrace({{.compute_us = 98, .exchange_us = 2}})},
      {stalled_on_async, "devices are stalled on async copies and collectives for 30.0%", 30,
       TpuWaiting(30), TpuWaiting(4)},
      {float32_products,
       "products of float32 matrices use no tensor cores: 51.0% of kernel time, 50.0% of wall time",
       5000, TorchMultiplying("cutlass_80_simt_sgemm_128x256_8x4_nt_align1"),
       TorchMultiplying("sm90_xmma_gemm_f32f32_tf32f32_f32_nt_n_tilesize128x256x32")},
      {waits_for_devices,
       "the host waits for the device 8 times a step, mostly in aten::item, called by norm: the "
       "device then has no work and is idle for 32.0% of wall time",
       3200, TorchWaiting(8), TorchWaiting(3)},
      {host_operation,
       "steps wait for aten::embedding, which runs on the host, for 60.0% of wall time", 6000,
       TorchOnHost(6'000), TorchOnHost(900)},
      {device_memory,
       "memory of the device (cudaMalloc, cudaFree), called by torch/cuda/memory.py empty_cache: "
       "18.0% of wall time",
       1800, TorchAllocating(1'500), TorchAllocating(100)},
      {array_copies,
       "devices copy arrays to change their layout (aten::contiguous), called by block: 30.0% of "
       "wall time",
       3000, TorchCopying("aten::contiguous", "aten::clone", 3'000),
       TorchCopying("aten::contiguous", "aten::clone", 900)},
      {array_copies,
       "devices copy arrays to change their layout (aten::contiguous): 30.0% of wall time", 3000,
       RecordedCopying(3'000), TorchCopying("aten::contiguous", "aten::clone", 3'000, "aten::add")},
      {array_copies,
       "devices copy arrays to change their type or layout (aten::to), called by block: 30.0%",
       3000, TorchCopying("aten::to", "aten::_to_copy", 3'000),
       TorchCopying("aten::clone", "aten::empty_like", 3'000)},
      {python_function, "steps wait for the Python function load_batch for 60.0% of step time", 600,
       LoopWith("$loop.py:3 load_batch", 600), LoopWith("$loop.py:3 load_batch", 30)},
      {python_function, "steps wait for the Python function np.load for 60.0% of step time", 600,
       LoopWith("$npyio.py:3 load", 600), LoopWith("$npyio.py:3 load", 30)},
      {host_region, "devices are idle in the region decode for 60.0% of step time", 600,
       LoopWith("decode", 600), LoopWith("decode", 30)},
      {garbage_collector, "Python's garbage collector takes 30.0% of step time, while tokenize",
       300, Collecting(300), Collecting(30)},
      {garbage_collector, "gc.collect() takes 30.0% of step time", 300,
       LoopWith("$gc collect", 300), LoopWith("$gc collect", 30)},
      {checkpoint_in_steps, "a checkpoint is written in the steps (SaveV2): 50.0% of step time",
       500, Saving(500), Saving(0)},
      {waits_for_queue,
       "steps wait in queue.py get for 50.0% of step time: the thread that fills the queue is in "
       "read_example, which sleeps",
       500, WaitingFor("$queue.py:154 get", 500), WaitingFor("$queue.py:154 get", 40)},
      {waits_for_lock,
       "next_batch waits for a lock (acquire) for 50.0% of step time: another thread holds it in "
       "read_example, which sleeps",
       500, WaitingFor("$<unknown> acquire", 500), WaitingFor("$<unknown> acquire", 40)},
      {waits_for_lock,
       "next_batch waits for a lock for 49.0% of step time: another thread holds it in refresh, "
       "which sleeps",
       490, WithLock(490), WithLock(250)},
      {copies_in_steps, "copies between host and device take 50.0% of step time: np.array", 500,
       LoopWith("$numpy array", 500), LoopWith("$numpy array", 40)},
      {device_copies, "devices only copy, or wait for copies, for 20.0% of the capture", 60,
       WithoutSteps("MemcpyH2D", 60), WithoutSteps("MemcpyH2D", 10)},
      {device_communication, "exposed communication takes 20.0% of the capture", 60,
       WithoutSteps("ncclAllReduce", 60), WithoutSteps("ncclAllReduce", 10)},
      {unrecorded_time, "the device is idle for 50.0% of step time, between executions of jit_step",
       500, LoopOf([](LoopStep* step) { step->Compute(500, 500); }),
       LoopOf([](LoopStep* step) { step->Compute(30, 970); })},
      {compiles_again, "step is compiled again in the steps (6 times): compiling takes 70.0%", 700,
       Compiling(700), Compiling(10)},
      {compiles_first_step, "step 0 compiles step: it takes 1.0 times as long as the others, 15.0%",
       150, Compiling(900, true), Compiling(700)},
      {traces_again, "train_step is traced again in 6 of 6 calls: building its graph takes 70.0%",
       700, Tracing("traced-nonXla"), Tracing("notTraced-nonXla")},
      {python_callback, "jit_step waits for Python: pure_callback for 80.0% of step time", 800,
       CallingBack(800), CallingBack(0)},
      {python_callback, "train_step waits for Python: PyFunc for 80.0% of step time", 800,
       CallingFromGraph("augment:PyFunc", 800), CallingFromGraph("augment:PyFunc", 0)},
      {python_callback, "train_step waits for printing: StringFormat for 80.0% of step time", 800,
       CallingFromGraph("a/b:StringFormat", 800), CallingFromGraph("a/b:StringJoin", 800)},
      {creates_iterators,
       "input iterators are created in the steps (6 times): creating them takes 60.0% of step time",
       600, CreatingIterators(600), CreatingIterators(20)},
      {compiles_again,
       "2 programs (add, mul) are compiled in the steps (12 times): compiling takes 80.0%", 800,
       CompilingTwo(400), CompilingTwo(20)},
      {eager_execution,
       "eager execution: 30 operations a step started one by one from Python take "
       "70.0% of step time",
       700, EagerOps(30), EagerOps(20)},
      {eager_execution,
       "eager execution: 50 operations a step beside grads started one by one from Python take "
       "50.0% of step time",
       500, UpdatingEagerly(50), UpdatingEagerly(20)},
      // 30 of 10 us, and 29 gaps of 5 us.
      {small_operations,
       "30 tiny operations a step, most in unroll (aten::mul): starting them one by one takes "
       "44.5% of step time",
       445, ShortOperations(30), ShortOperations(20)},
      {compiles_again,
       "a torch.compile function is compiled again in the steps (4 times): compiling takes 70.0%",
       700, TorchCompiling(700), TorchCompiling(10)},
      {input_bound,
       "waiting for it, mostly for DataLoader, which calls __getitem__ and sleeps (time.sleep)",
       500, TorchLoading(500), TorchLoading(20)},
      {many_programs, "20 programs a step (add 20): starting them takes 92.0% of step time", 920,
       Programs(20), Programs(10)},
      {many_programs, "21 programs a step (add 20, step 1): starting them takes 36.0% of step time",
       360, ProgramsInPython(20), ProgramsInPython(9)},
      {many_programs, "20 programs a step (add 20): starting them takes 98.0% of step time", 980,
       SmallFunctions(20, true), SmallFunctions(20, false)},
      {other_programs,
       "beside step, steps start evaluate (1 a step): starting other programs and single "
       "operations takes 30.0% of step time",
       300, Beside(300), Beside(90)},
      {small_program,
       "jit_step computes for 6.00 us a step: starting it and waiting for it takes "
       "95.0%",
       114, SmallPrograms(6), SmallPrograms(100)},
      {small_program,
       "train_step computes for 50.0 us a step: starting it and waiting for it takes 95.0% of step "
       "time; a loop of small operations in its graph: 150 pieces a step",
       950, PiecesOfGraph(150), LoopWith("$loop.py:3 load_batch", 500)},
      {waits_for_results,
       "float() of an array waits for the program in each step, so that read_batch "
       "runs while devices are idle: 40.0% of step time",
       400, ReadingResults(500), ReadingResults(0)},
      {late_host,
       "b is the straggler: a waits for it in all-reduce for 60.0% of step time, while b is "
       "in load_batch",
       600, Straggling(std::vector<int64_t>(6, 600)), Straggling(std::vector<int64_t>(6, 20))},
      {late_host, "for 60.0% of step time, while b is idle and recorded nothing", 600,
       Straggling(std::vector<int64_t>(6, 600), false),
       Straggling(std::vector<int64_t>(6, 20), false)},
      // 100 us in the mean each: more than three standard errors of the steps, and one of them.
      {late_host, "a waits for it in all-reduce for 10.0% of step time", 100,
       Straggling({70, 130, 80, 120, 90, 110}), Straggling({0, 0, 600, 0, 0, 0})},
      {layout_changes, "layout changes (transpose) take 80.0% of the instruction time of jit_step",
       800, Transposing(800), Transposing(50)},
      {steps_get_longer, "each step takes 120 us longer than the one before, in moving_average",
       200, Growing({200, 200, 320, 440, 560, 680}), Growing({200, 200, 200, 200, 200, 200})},
      // Steps 1 to 11: 120, 140, 160 ... 320 us. The median of the first three is 140 us; the time
      // beyond it is 20 + 40 ... + 180 = 900 us of 6720.
      {steps_get_longer,
       "summarize takes 20.0 us longer in each step than in the one before: 13.4% of step time", 75,
       GrowingFunction(20), GrowingFunction(0)},
      // More of constant loading is waited for, as the program beside it gets shorter.
      {steps_get_longer,
       "summarize takes 20.0 us longer in each step than in the one before: 13.4% of step time", 75,
       GrowingFunction(20), LoadingBesideLess()},
      // The last third takes longer than the first one, but the steps between vary by more.
      {steps_get_longer,
       "summarize takes 20.0 us longer in each step than in the one before: 13.4% of step time", 75,
       GrowingFunction(20),
       FunctionOf({100, 100, 100, 100, 300, 100, 300, 100, 300, 160, 160, 160})},
      // Waiting for a buffer that was full at first is no growth.
      {steps_get_longer,
       "summarize takes 20.0 us longer in each step than in the one before: 13.4% of step time", 75,
       GrowingFunction(20), FunctionOf({0, 0, 0, 0, 0, 9, 300, 300, 301, 302, 303, 304})},
      // Steps 1 to 11 again, but the last one takes 100 us: the median of the last three is still
      // 280 us. The growth, 20 us, gets 5 * 220 / 110 = 10 us smaller; the time beyond 140 us is
      // 20 + 40 ... + 160 = 720 us of 6500. Two longer steps at the end are no growth.
      {steps_get_longer,
       "summarize takes 10.0 us longer in each step than in the one before: 11.1% of step time", 60,
       FunctionOf({100, 120, 140, 160, 180, 200, 220, 240, 260, 280, 300, 100}),
       FunctionOf({100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 400, 400})},
      // A step makes three arrays and the copy of an argument, and frees two. The twin keeps
      // losses.
      {arrays_kept, "each step keeps 2 arrays, at most 2.00 MiB (results of step): activations",
       kNoInt, KeepingArrays({1, 1, 1, 1, 1, 1}), KeepingArrays({2, 2, 2, 2, 2, 2})},
      {memory_grows, "memory in use grows by 4.00 KiB in each step, allocated by MatMul", kNoInt,
       KeepingMemory(4096), KeepingMemory(0)},
  };
}

}  // namespace tfprof
