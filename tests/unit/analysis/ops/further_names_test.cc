// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/further_names.h"

#include <catch2/catch.hpp>
#include <map>

#include "analysis/indexes.h"
#include "analysis/ops/op_times.h"
#include "tests/support/kineto_of.h"
#include "tests/support/trace_of.h"

namespace tfprof::further_names_test {
namespace {

// The names and types of the operations of the devices.
std::map<std::string, std::string> OpsOfDevices(const StorePtr& store, OpAccounting accounting) {
  Context context;
  const auto times = Indexes(store).Get<OpTimes>(accounting, context).value();
  std::map<std::string, std::string> found;
  for (const ProcessOps& process : times->processes) {
    if (!process.is_device) continue;
    for (const FrameworkOp& op : CombineFramework({&process})) {
      found[std::string(op.name)] = op.type;
    }
  }
  return found;
}

TestEvent With(TestEvent event, const std::string& key, TestValue value) {
  event.details[key] = std::move(value);
  return event;
}

}  // namespace

TEST_CASE("the innermost region with a type names an operation") {
  CHECK(OpOfAnnotation("step::model/dense/MatMul:MatMul#id=1,shape=2#") ==
        "model/dense/MatMul:MatMul");
  CHECK(OpOfAnnotation("a/b:Call#x#::a/c:Relu#y#") == "a/c:Relu");
  CHECK(OpOfAnnotation("a/c:Relu::region") == "a/c:Relu");
  CHECK(OpOfAnnotation("region::other").empty());
  CHECK(OpOfAnnotation("").empty());
}

TEST_CASE("device work is named by the first source that there is") {
  const TestEvent own =
      With(TestKernel("k1", 0, 10, "own/A:A"), "annotation", std::string("region/B:B#1#"));
  const TestEvent by_region =
      With(TestKernel("k2", 20, 10, ""), "annotation", std::string("region/B:B#1#"));
  const TestEvent by_lane = With(TestKernel("k3", 40, 10, ""), "correlation", int64_t{1});
  const TestEvent by_launch = With(TestKernel("k4", 60, 10, ""), "correlation", int64_t{2});
  // It runs beside k3, of whose operation it is none.
  TestEvent copy = With(TestKernel("copy", 42, 5, ""), "correlation", int64_t{3});
  copy.details["work"] = static_cast<int64_t>(WorkKind::copy);
  const TestEvent none = TestKernel("k5", 80, 10, "");
  const TestEvent only_program = TestKernel("k6", 100, 10, "XlaModule:");
  const StorePtr store = TraceOf(
      {{.lanes = {{.events = {{"host/D:D", 0, 100 * kTestNs},
                              {"launch", 10 * kTestNs, 1, {{"correlation", int64_t{1}}}},
                              {"launch", 20 * kTestNs, 1, {{"correlation", int64_t{2}}}},
                              {"host/E:E", 200 * kTestNs, 9 * kTestNs},
                              {"launch", 201 * kTestNs, 1, {{"correlation", int64_t{3}}}}}}}},
       {.name = "/device:GPU:0",
        .lanes = {{.name = "Stream #1",
                   .events = {own, by_region, by_lane, by_launch, none, only_program}},
                  {.name = "Stream #2", .events = {copy}},
                  {.name = "TensorFlow Ops",
                   .events = {{"lane/C:C", 39 * kTestNs, 12 * kTestNs}},
                   .role = LaneRole::framework_ops,
                   .derived = true}}}});
  const std::map<std::string, std::string> exact{
      {"own/A", "A"}, {"region/B", "B"}, {"lane/C", "C"}, {"host/D", "D"}, {"host/E", "E"}};
  CHECK(OpsOfDevices(store, OpAccounting::exact) == exact);
  // xprof takes the event's own text only.
  CHECK(OpsOfDevices(store, OpAccounting::original) ==
        std::map<std::string, std::string>{{"own/A", "A"}, {"XlaModule", "XlaModule"}});
}

TEST_CASE("work of a program is named by its path where the program has no operation") {
  TestEvent kernel =
      With(TestKernel("k", 0, 10, "XlaModule:"), "instruction", std::string("fusion.3"));
  kernel.details["program"] = int64_t{1};
  const auto ops = [&](const TestEvent& event) {
    return OpsOfDevices(TraceOf({{.name = "/device:GPU:0", .lanes = {{.events = {event}}}}}),
                        OpAccounting::exact);
  };
  CHECK(ops(kernel) == std::map<std::string, std::string>{{"fusion.3", "fusion.3"}});
  CHECK(ops(With(kernel, "op_path", std::string("jit(f)/jit(main)/dot_general"))) ==
        std::map<std::string, std::string>{{"jit(f)/jit(main)/dot_general", "dot_general"}});
}

TEST_CASE("the class of a host event says that it is an operation, whatever its name is") {
  const StorePtr store = KinetoOf({
      {"cpu_op", "mylib::fused", 0, 50},
      {"cuda_runtime", "cudaLaunchKernel", 10, 5, 1, R"("correlation": 1)"},
      {"user_annotation", "aten::looks_like_one", 60, 50},
      {"cuda_runtime", "cudaLaunchKernel", 70, 5, 1, R"("correlation": 2)"},
      {"kernel", "a", 20, 30, 7, R"("correlation": 1, "device": 0, "stream": 7)"},
      {"kernel", "b", 90, 30, 7, R"("correlation": 2, "device": 0, "stream": 7)"},
  });
  CHECK(OpsOfDevices(store, OpAccounting::exact) ==
        std::map<std::string, std::string>{{"mylib::fused", "mylib::fused"}});
}

}  // namespace tfprof::further_names_test
