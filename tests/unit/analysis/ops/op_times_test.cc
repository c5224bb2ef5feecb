// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/op_times.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/indexes.h"
#include "analysis/ops/device_ops.h"
#include "core/report/report.h"
#include "tests/support/trace_of.h"

namespace tfprof::op_times_test {
namespace {

// Of all events, or of a step.
OpTimes OpsIn(const StorePtr& store, int64_t step = -1,
              OpAccounting accounting = OpAccounting::exact) {
  const Indexes indexes(store);
  Context context;
  Query query;
  query.place.step = step;
  const ChosenEvents chosen = ChooseEvents(*store, indexes, query.place, context).value();
  return MeasureOps(*store, indexes, accounting, chosen, context).value();
}

const OpTime& Named(const ProcessOps& of, std::string_view name) {
  for (const OpTime& op : of.ops) {
    if (op.op().name == name || op.instruction() == name) return op;
  }
  FAIL("no operation " << name);
  return of.ops[0];
}

}  // namespace

TEST_CASE("self time of a thread's operations excludes enclosed operations, not other events") {
  const StorePtr store =
      TraceOf({{.lanes = {{.name = "main",
                           .events = {{"a:Outer", 100, 100},
                                      {"region", 110, 80},
                                      {"a/b:Inner", 120, 30},
                                      {"a/b:Inner", 150, 10},
                                      {"a:Outer", 300, 50, {{"eager", 1}}}}},
                          {.name = "idle", .events = {{"no operation", 0, 9}}}}}});
  const OpTimes times = OpsIn(store);
  REQUIRE(times.processes.size() == 1);
  const ProcessOps& host = times.processes[0];
  REQUIRE_FALSE(host.is_device);
  REQUIRE(host.ops.size() == 2);
  REQUIRE(Named(host, "a").occurrences == 2);
  REQUIRE(Named(host, "a").total_ps == 150);
  REQUIRE(Named(host, "a").self_ps == 110);
  REQUIRE(Named(host, "a").is_eager);
  REQUIRE(Named(host, "a/b").self_ps == 40);
  // From 100 to 350, less 150 in operations.
  REQUIRE(host.idle_ps == 100);
}

TEST_CASE("events that start or end together are nested, the longer one outside") {
  std::vector<TimedEvent> events = {{2, 0, 10, 0}, {1, 0, 20, 0}, {3, 10, 10, 0}, {4, 15, 10, 0}};
  MeasureSelfTimes(&events);
  REQUIRE(events[0].row == 1);
  REQUIRE(events[0].self_ps == 0);
  REQUIRE(events[1].self_ps == 10);
  REQUIRE(events[2].self_ps == 10);
  REQUIRE(events[3].self_ps == 10);  // it only overlaps the others
}

TEST_CASE("an operation ran as often as its most frequent kernel; the rest of the time is idle") {
  const StorePtr store = TraceOf(
      {{.name = "/device:GPU:0",
        .lanes = {{.name = "7",
                   .events = {TestKernel("h884", 0, 10, "m/MatMul:MatMul"),
                              TestKernel("sum", 10, 30, "m/MatMul:MatMul"),
                              TestKernel("sum", 50, 30, "m/MatMul:MatMul"),
                              TestKernel("fill", 90, 10, "")}},
                  {.name = "copies", .events = {{"MemcpyH2D", -20 * kTestNs, 5 * kTestNs}}},
                  {.name = "derived", .events = {{"x", -999 * kTestNs, 5}}, .derived = true}}}});
  const OpTimes times = OpsIn(store);
  const ProcessOps& gpu = times.processes.at(0);
  REQUIRE(gpu.ops.size() == 1);
  REQUIRE(gpu.ops[0].op().type == "MatMul");
  REQUIRE(gpu.ops[0].occurrences == 2);
  REQUIRE(gpu.ops[0].self_ps == 70 * kTestNs);
  REQUIRE(gpu.ops[0].tensor_core_ps == 10 * kTestNs);
  REQUIRE(std::isnan(gpu.ops[0].model_flops.amount));
  // -20 to 100, less what was in operations; kernels of no operation are idle time here.
  REQUIRE(gpu.idle_ps == (120 - 70) * kTestNs);
  REQUIRE(gpu.unattributed_ps == (10 + 5) * kTestNs);
}

TEST_CASE("a kernel of XLA whose program is missing is listed by its instruction") {
  TestEvent known = TestKernel("k1", 0, 9, "model/add:AddV2"),
            bare = TestKernel("k2", 10, 7, "no operation");
  known.details["instruction"] = std::string("while.1::body::add.3");
  bare.details["instruction"] = std::string("add.4");
  known.details["program"] = bare.details["program"] = int64_t{17};
  const StorePtr store = TraceOf({{.name = "/device:GPU:0", .lanes = {{.events = {known, bare}}}}});
  const OpTimes times = OpsIn(store);
  const ProcessOps& gpu = times.processes.at(0);
  const OpTime& add = Named(gpu, "add.3");
  REQUIRE(add.xla != nullptr);
  REQUIRE(add.xla->program_id == 17);
  REQUIRE(add.op().type == "AddV2");
  const std::vector<FrameworkOp> framework = CombineFramework({&gpu});
  REQUIRE(framework.at(0).name == "model/add");
  REQUIRE(framework.at(1).name == "add.4");
  REQUIRE(framework.at(1).type == "add.4");  // no program tells its opcode
}

TEST_CASE("operations of a TPU are timed by the trace's clock, for xprof by its own, and nested") {
  const TestDetails facts{{"program", int64_t{42}},
                          {"op", "model/add:X"},
                          {"flops", int64_t{100}},
                          {"bytes_accessed", int64_t{50}},
                          {"op_category", "loop fusion"}};
  const StorePtr store = TraceOf(
      {{.name = "/device:TPU:0",
        .lanes = {{.name = "Steps",
                   .events = {{"0", 0, 1000}},
                   .role = LaneRole::steps,
                   .derived = false},
                  {.name = "XLA Ops",
                   .events = {{"while.1", 100, 400},
                              {"add.1",
                               150,
                               999,
                               {{"own_start_ps", int64_t{150}}, {"own_duration_ps", int64_t{100}}}},
                              {"add.1", 300, 50}},
                   .role = LaneRole::ops}},
        .device = DeviceKind::tpu,
        .of_label = {{"add.1", facts}}}});
  const OpTimes by_trace = OpsIn(store);
  REQUIRE(Named(by_trace.processes.at(0), "add.1").total_ps == 999 + 50);
  const OpTimes times = OpsIn(store, -1, OpAccounting::original);
  const ProcessOps& tpu = times.processes.at(0);
  REQUIRE(Named(tpu, "while.1").self_ps == 250);
  const OpTime& add = Named(tpu, "add.1");
  REQUIRE(add.total_ps == 150);
  REQUIRE(add.occurrences == 2);
  REQUIRE(add.xla->program_id == 42);
  REQUIRE(add.device_flops.amount == 200);
  REQUIRE(add.bytes.amount == 100);
  REQUIRE(add.xla->category == "loop fusion");
  REQUIRE(tpu.idle_ps == 1000 - 400);
  REQUIRE(tpu.clocks.off_ps == 999 - 100);
  std::vector<Note> notes;
  NoteDeviceClock({&tpu}, OpAccounting::exact, &notes);
  REQUIRE(notes.size() == 1);
  REQUIRE(notes[0].what.Text().find("differ by 163.5%") != std::string::npos);
}

TEST_CASE("a device clock that agrees with the trace gets no note") {
  const StorePtr store =
      TraceOf({{.name = "/device:TPU:0",
                .lanes = {{.name = "XLA Ops",
                           .events = {{"add.1", 0, 1000, {{"own_duration_ps", int64_t{1005}}}}},
                           .role = LaneRole::ops}},
                .device = DeviceKind::tpu}});
  const OpTimes times = OpsIn(store);
  REQUIRE(times.processes.at(0).clocks.off_ps == 5);
  std::vector<Note> notes;
  NoteDeviceClock({&times.processes[0]}, OpAccounting::exact, &notes);
  REQUIRE(notes.empty());
}

TEST_CASE("devices are summed; unknown costs do not hide known ones") {
  const XlaOp fusion{.name = "fusion.1"}, call{.name = "call.1"};
  OpTime known, unknown;
  known.xla = &fusion;
  unknown.xla = &call;
  known.provenance = unknown.provenance = "a/dot:Dot";
  known.occurrences = 3;
  unknown.occurrences = 2;
  known.self_ps = known.total_ps = 30;
  unknown.self_ps = unknown.total_ps = 100;
  known.model_flops = known.device_flops = {7, 30};
  const ProcessOps first{ProcessId(0), true, {known, unknown}, 5};
  const ProcessOps second{ProcessId(1), true, {known}, kNoInt};
  const std::vector<OpTime> ops = CombineProcesses({&first, &second});
  REQUIRE(ops.size() == 2);
  REQUIRE(ops[0].instruction() == "call.1");
  REQUIRE(ops[1].occurrences == 6);
  REQUIRE(ops[1].model_flops.amount == 14);
  const std::vector<FrameworkOp> framework = CombineFramework({&first, &second});
  REQUIRE(framework.size() == 1);
  REQUIRE(framework[0].occurrences == 6);
  REQUIRE(framework[0].self_ps == 160);
  REQUIRE(framework[0].model_flops.amount == 14);
  REQUIRE(framework[0].model_flops.PerSecond() == Approx(14 / 60e-12));  // not over 160 ps
  REQUIRE_FALSE(framework[0].bytes.some());
  REQUIRE(IdleOf({&first, &second}) == 5);
  REQUIRE(IdleOf({&second}) == kNoInt);
}

TEST_CASE("with -step only its events count, and idle time is between them") {
  std::vector<TestEvent> events;
  for (const int64_t group : {0, 0, 1, 1}) {
    events.push_back({"a:A", static_cast<int64_t>(events.size()) * 100, 10, {{"group", group}}});
  }
  const StorePtr store = TraceOf({{.lanes = {{.events = events}}}});
  REQUIRE(OpsIn(store).processes[0].ops[0].occurrences == 4);
  const OpTimes second = OpsIn(store, 1);
  REQUIRE(second.processes[0].ops[0].occurrences == 2);
  REQUIRE(second.processes[0].idle_ps == 90);

  const Indexes indexes(store);
  Context context;
  Query query;
  query.place.step = 7;
  REQUIRE(OpsOf(*store, indexes, query.place, OpAccounting::exact, context).error().kind ==
          ErrorKind::usage);
}

TEST_CASE("instructions that ran on a CPU are separate from host calls that launch instructions") {
  const TestDetails add{{"instruction", "add.1"}, {"program", 7}},
      loop{{"instruction", "while"}, {"program", 7}};
  TestDetails launch = add;
  launch["correlation"] = 1;
  const StorePtr store = TraceOf({{.lanes = {{.events = {{"while", 0, 100, loop},
                                                         {"other", 5, 90},
                                                         {"add.1", 10, 30, add},
                                                         {"add.1", 50, 20, add},
                                                         {"add.1", 200, 9, launch}}}}}});
  const OpTimes times = OpsIn(store);
  REQUIRE(times.processes.at(0).ops.empty());
  const ProcessOps& cpu = times.cpus.at(0);
  REQUIRE(cpu.ops.size() == 2);
  REQUIRE(Named(cpu, "add.1").occurrences == 2);
  REQUIRE(Named(cpu, "add.1").xla->program_id == 7);
  REQUIRE(Named(cpu, "while").self_ps == 50);
  REQUIRE(std::isnan(Named(cpu, "add.1").bytes.amount));
}

TEST_CASE("an operation ran in each program as often as its most frequent instruction") {
  std::deque<XlaOp> instructions;
  const auto ran = [&](uint64_t program, std::string_view instruction, int64_t times) {
    OpTime op;
    op.xla = &instructions.emplace_back(XlaOp{.program_id = program, .name = instruction});
    op.provenance = "jit(f)/dot:dot_general";
    op.occurrences = times;
    return op;
  };
  const ProcessOps process{
      ProcessId(0), true, {ran(1, "a", 12), ran(1, "b", 3), ran(2, "a", 3), ran(3, "c", 9)}};
  const std::vector<FrameworkOp> ops = CombineFramework({&process});
  REQUIRE(ops.size() == 1);
  REQUIRE(ops[0].occurrences == 12);
  REQUIRE(ops[0].executions == 24);
}

TEST_CASE("measuring operations can be cancelled") {
  const StorePtr store =
      TraceOf({{.name = "/device:GPU:0", .lanes = {{.events = {TestKernel("k", 0, 5, "a:A")}}}}});
  Context context;
  context.polls_until_cancel = 0;
  const Indexes indexes(store);
  REQUIRE(indexes.Get<OpTimes>(OpAccounting::exact, context).error().kind == ErrorKind::cancelled);
}

}  // namespace tfprof::op_times_test
