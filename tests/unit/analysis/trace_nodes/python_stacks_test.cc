// SPDX-License-Identifier: Apache-2.0
#include "analysis/trace_nodes/python_stacks.h"
#include "core/store/call_stacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "tests/support/program_of.h"
#include "tests/support/trace_of.h"

namespace tfprof::trace_nodes_python_stacks_test {
namespace {

using Lines = std::multiset<std::string>;

StorePtr ByStack(const StorePtr& trace) {
  Context context;
  const Indexes indexes(trace);
  return indexes.Get<TraceNodes>({{}, NodeGranularity::one_per_stack}, context).value()->store;
}

// "file:line:function > ... | node ps x lane"
Lines Rows(const Store& store) {
  Context context;
  const CallStacks stacks = ReadCallStacks(store, context).value();
  Lines lines;
  for (const Lane& lane : store.lanes) {
    for (uint32_t i = 0; i < lane.rows.count; ++i) {
      const uint32_t row = lane.rows.first + i;
      const Node& node = store.nodes[store.labels[store.events.label[row].value].node.value];
      std::string line;
      if (node.has_trace) {
        for (const Frame& frame : stacks.Of(node.stack)) {
          line += fmt::format("{}:{}:{} > ", stacks.Text(frame.file), frame.line,
                              stacks.Text(frame.function));
        }
      }
      lines.insert(line + fmt::format("{} {} on {}", store.Text(node.name),
                                      store.events.duration_ps[row], store.Text(lane.name)));
    }
  }
  return lines;
}

TestEvent Kernel(int64_t start_ps, int64_t correlation) {
  return {"k", start_ps, 10, {{"op", "dense/MatMul:MatMul"}, {"correlation", correlation}}};
}
TestEvent Launch(int64_t start_ps, int64_t correlation) {
  return {"cuLaunchKernel", start_ps, 2, {{"correlation", correlation}}};
}

}  // namespace

TEST_CASE("an operation called from two places counts for each of them") {
  const StorePtr trace = TraceOf({{.lanes = {{.name = "main",
                                              .events = {{"$a.py:1 main", 0, 1000},
                                                         {"$a.py:5 train", 10, 100},
                                                         {"$builtins len", 20, 80},
                                                         {"dense/MatMul:MatMul", 30, 50},
                                                         {"$a.py:9 test", 200, 100},
                                                         {"dense/MatMul:MatMul", 210, 30},
                                                         {"dense/MatMul:MatMul", 500, 7},
                                                         {"dense/MatMul:MatMul", 1500, 1}}}}}});
  CHECK(Rows(*ByStack(trace)) ==
        Lines{"a.py:1:main > a.py:5:train > dense/MatMul 50 on /host:CPU",
              "a.py:1:main > a.py:9:test > dense/MatMul/(2) 30 on /host:CPU",
              "a.py:1:main > dense/MatMul/(3) 7 on /host:CPU", "dense/MatMul/(4) 1 on /host:CPU"});
  Context context;
  const Indexes indexes(trace);
  const auto plain = indexes.Get<TraceNodes>(context).value();
  CHECK(Rows(*plain->store) == Lines{"dense/MatMul 88 on /host:CPU"});
  CHECK_FALSE(plain->store->has_code_traces);
}

TEST_CASE("work of devices has the Python calls around its launch") {
  const StorePtr trace = TraceOf(
      {{.lanes = {{.name = "main",
                   .events = {{"$a.py:5 train", 0, 100},
                              Launch(10, 1),
                              {"$a.py:9 test", 200, 100},
                              Launch(210, 2),
                              Launch(400, 3)}}}},
       {.name = "/device:GPU:0",
        .lanes = {{.name = "Stream", .events = {Kernel(30, 1), Kernel(230, 2), Kernel(430, 3)}}}}});
  const StorePtr store = ByStack(trace);
  CHECK(Rows(*store) == Lines{"a.py:5:train > dense/MatMul 10 on /device:GPU:0",
                              "a.py:9:test > dense/MatMul/(2) 10 on /device:GPU:0",
                              "dense/MatMul/(3) 10 on /device:GPU:0"});
  REQUIRE(store->notes.size() == 1);
  CHECK(store->notes[0].count == 1);
  CHECK(store->notes[0].cost_ps == 10);
}

TEST_CASE("work passed to other threads has the Python calls around its origin") {
  const auto gives = [](int64_t number) {
    return TestDetails{{"producer_type", int64_t{1}}, {"producer", number}};
  };
  const auto takes = [](int64_t number) {
    return TestDetails{{"consumer_type", int64_t{1}}, {"consumer", number}};
  };
  // Threads in an order in which one round does not suffice.
  const StorePtr trace = TraceOf(
      {{.lanes = {
            {.name = "second", .events = {{"runs", 50, 40, takes(2)}, {"x/Cast:Cast", 55, 5}}},
            {.name = "first",
             .events = {{"ThreadpoolListener::StartRegion", 20, 0, takes(1)},
                        {"gives", 25, 1, gives(2)},
                        {"ThreadpoolListener::StopRegion", 30, 0},
                        {"x/Sum:Sum", 35, 2}}},
            {.name = "main", .events = {{"$a.py:5 train", 0, 100}, {"gives", 10, 1, gives(1)}}}}}});
  CHECK(Rows(*ByStack(trace)) ==
        Lines{"a.py:5:train > x/Cast 5 on /host:CPU", "x/Sum 2 on /host:CPU"});
}

TEST_CASE("a launch on a separate thread has the Python calls around the same instruction") {
  const auto kernel = [](int64_t start_ps, int64_t correlation) {
    return TestEvent{"fusion",
                     start_ps,
                     10,
                     {{"correlation", correlation},
                      {"work", int64_t{static_cast<int64_t>(WorkKind::kernel)}},
                      {"instruction", "loop_fusion"},
                      {"module", "jit_f"},
                      {"program", int64_t{7}}}};
  };
  const StorePtr trace = TraceOf(
      {{.lanes = {{.name = "main", .events = {{"$a.py:5 train", 0, 100}, {"loop_fusion", 10, 20}}},
                  {.name = "driver", .events = {Launch(15, 1), Launch(60, 2)}}}},
       {.name = "/device:GPU:0",
        .lanes = {{.name = "Stream", .events = {kernel(40, 1), kernel(80, 2)}}}}});
  const Lines rows = Rows(*ByStack(trace));
  REQUIRE(rows.size() == 2);
  CHECK(rows.begin()->starts_with("a.py:5:train > "));
  CHECK(rows.begin()->ends_with("loop_fusion 10 on /device:GPU:0"));
  CHECK(rows.rbegin()->ends_with("loop_fusion/(2) 10 on /device:GPU:0"));
}

namespace {

// A program of one instruction `fusion` that these calls made, outermost first.
TestProgram ProgramOf(uint64_t id, const std::vector<std::pair<std::string, int32_t>>& calls) {
  ProgramWriter writer;
  writer.program.entry = writer.Computation();
  Instruction& fusion = writer.program.instructions[writer.Add("fusion", {})];
  fusion.name = writer.Text("loop_fusion");
  for (const auto& [function, line] : calls) {
    const auto caller = static_cast<uint32_t>(writer.program.frames.size()) - 1;  // or none
    writer.program.frames.push_back({writer.Text("/me/a.py"), writer.Text(function), line, caller});
    fusion.frame = caller + 1;
  }
  return {"jit_f(" + std::to_string(id) + ")", id, writer.program};
}

// The rows of kernels of the programs 7, 8 and 9 that begin like that. All are launched within
// `train`; the tracer began in its callers.
ptrdiff_t CountRows(std::string_view start, const std::vector<TestProgram>& programs) {
  const auto kernel = [](int64_t start_ps, int64_t program) {
    return TestEvent{"fusion",
                     start_ps,
                     10,
                     {{"correlation", program},
                      {"work", int64_t{static_cast<int64_t>(WorkKind::kernel)}},
                      {"instruction", "loop_fusion"},
                      {"module", "jit_f"},
                      {"program", program}}};
  };
  const TestLane calls{
      .name = "main",
      .events = {{"$a.py:5 train", 0, 100}, Launch(10, 7), Launch(20, 8), Launch(30, 9)}};
  const TestLane stream{.name = "Stream", .events = {kernel(40, 7), kernel(80, 8), kernel(120, 9)}};
  const Lines rows = Rows(*ByStack(TraceOf(
      {{.lanes = {calls}}, {.name = "/device:GPU:0", .lanes = {stream}}}, Programs(programs))));
  REQUIRE(rows.size() == 3);
  return std::ranges::count_if(rows,
                               [&](const std::string& row) { return row.starts_with(start); });
}

}  // namespace

TEST_CASE("calls around the outermost traced one are those that other programs record") {
  const TestProgram whole = ProgramOf(7, {{"<module>", 90}, {"main", 80}, {"train", 6}});
  const TestProgram none = ProgramOf(8, {});
  const std::string stack = "/me/a.py:90:<module> > /me/a.py:80:main > a.py:5:train > ";
  CHECK(CountRows(stack, {whole, none, ProgramOf(9, {})}) == 3);
  // Program 9 keeps a part of the same stack.
  const TestProgram part = ProgramOf(9, {{"main", 80}, {"train", 7}});
  CHECK(CountRows(stack, {whole, none, part}) == 2);
  CHECK(CountRows("/me/a.py:80:main > a.py:5:train > ", {whole, none, part}) == 1);
  // No program has the function.
  CHECK(CountRows("a.py:5:train > ", {ProgramOf(7, {{"test", 80}}), none, none}) == 3);
}

TEST_CASE("calls around the outermost traced one are unknown if programs disagree") {
  const TestProgram none = ProgramOf(8, {});
  const TestProgram first = ProgramOf(7, {{"main", 80}, {"train", 6}});
  const TestProgram second = ProgramOf(9, {{"main", 95}, {"train", 6}});
  CHECK(CountRows("/me/a.py:80:main > a.py:5:train > ", {first, none, second}) == 1);
  CHECK(CountRows("/me/a.py:95:main > a.py:5:train > ", {first, none, second}) == 1);
  CHECK(CountRows("a.py:5:train > ", {first, none, second}) == 1);
}

TEST_CASE("endlessly nested calls do not make an endless stack") {
  TestLane lane{.name = "main"};
  for (int i = 0; i < 1000; ++i) {
    lane.events.push_back({fmt::format("$a.py:{} f", i + 1), i, 4000 - 2 * i});
  }
  lane.events.push_back({"x/Sum:Sum", 1500, 1});
  const StorePtr store = ByStack(TraceOf({{.lanes = {lane}}}));
  REQUIRE(store->stacks.size() == 1);
  CHECK(store->stacks[0].count == PythonStacks::kMaxFrames);
}

}  // namespace tfprof::trace_nodes_python_stacks_test
