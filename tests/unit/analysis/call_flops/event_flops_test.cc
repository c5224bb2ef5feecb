// SPDX-License-Identifier: Apache-2.0
#include "analysis/call_flops/event_flops.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/indexes.h"
#include "analysis/nodes/accounting.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "core/query/query.h"
#include "loaders/open.h"
#include "tests/support/opening.h"
#include "views/views.h"

namespace tfprof::event_flops_test {
namespace {

// A convolution that calls its implementation, and a product that launches two kernels.
constexpr std::string_view kTrace = R"([
  {"ph":"X","cat":"cpu_op","name":"aten::conv2d","pid":1,"tid":1,"ts":0,"dur":20,
   "args":{"flops":1000}},
  {"ph":"X","cat":"cpu_op","name":"aten::convolution","pid":1,"tid":1,"ts":2,"dur":10,
   "args":{"Input Dims":[[1,1,4],[1,1,1]],"Concrete Inputs":["","","","[1]","[0]","[1]","False"]}},
  {"ph":"X","cat":"cpu_op","name":"aten::matmul","pid":1,"tid":1,"ts":30,"dur":20,
   "args":{"Input Dims":[[2,3],[3,4]]}},
  {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":32,"dur":10,
   "args":{"Input Dims":[[2,3],[3,4]]}},
  {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":34,"dur":2,
   "args":{"correlation":5}},
  {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":37,"dur":2,
   "args":{"correlation":6}},
  {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":60,"dur":10,
   "args":{"Input Dims":[[2,3],[3,2]]}},
  {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":40,"dur":8,
   "args":{"device":0,"stream":7,"correlation":5}},
  {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":49,"dur":4,
   "args":{"device":0,"stream":7,"correlation":6}}])";

StorePtr Opened(std::string_view trace = kTrace) {
  const TestFolder folder;
  const std::string path = folder / "a.json";
  WriteFile(path, trace);
  Context context;
  return Load({{path}}, context).value();
}

int64_t FlopsAt(const Store& store, const EventFlops& flops, std::string_view name) {
  int64_t sum = kNoInt;
  for (uint32_t row = 0; row < store.EventCount(); ++row) {
    if (store.Text(store.labels[store.events.label[row].value].name) != name) continue;
    if (flops.flops[row] != kNoInt) sum = (sum == kNoInt ? 0 : sum) + flops.flops[row];
  }
  return sum;
}

}  // namespace

TEST_CASE("flops count once, where the work is done; logged ones count") {
  const StorePtr store = Opened();
  Context context;
  const auto flops = Indexes(store).Get<EventFlops>(context).value();
  CHECK(FlopsAt(*store, *flops, "aten::conv2d") == kNoInt);
  CHECK(FlopsAt(*store, *flops, "aten::convolution") == 1000);  // not 2 * 4
  CHECK(FlopsAt(*store, *flops, "aten::matmul") == kNoInt);
  CHECK(FlopsAt(*store, *flops, "aten::mm") == 2 * 2 * 3 * 4 + 2 * 2 * 3 * 2);
}

TEST_CASE("the kernels of an operation have its flops in the roofline") {
  const StorePtr store = Opened();
  Context context;
  const Report report = Roofline(store, Indexes(store), Query(), context).value();
  const Table& table = report.tables[0];
  REQUIRE(table.rows >= 1);
  // 48 in 12 us are 4 MFLOP/s.
  CHECK(table.Find("flops_per_s")->reals[0] == Approx(0.004));
}

// Two products of 48 flops with kernels of 8 us, one without shapes with a kernel of `unknown_us`.
double RateWithUnknown(int unknown_us) {
  std::string trace = "[";
  const auto add = [&](int at, const std::string& args, int kernel_us) {
    trace += fmt::format(
        R"({{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":{0},"dur":10{1}}},
           {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{0},
             "dur":2,"args":{{"correlation":{0}}}}},
           {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{0},"dur":{2},
             "args":{{"device":0,"stream":7,"correlation":{0}}}}},)",
        at, args, kernel_us);
  };
  const std::string shapes = R"(,"args":{"Input Dims":[[2,3],[3,4]]})";
  add(100, shapes, 8);
  add(200, shapes, 8);
  add(300, "", unknown_us);
  trace.back() = ']';
  const StorePtr store = Opened(trace);
  Context context;
  const Report report = Roofline(store, Indexes(store), Query(), context).value();
  const Table& table = report.tables[0];
  REQUIRE(table.rows >= 1);
  return table.Find("flops_per_s")->reals[table.rows - 1];
}

TEST_CASE("a rate is over the time of the calls with known flops, if that is most of the time") {
  CHECK(RateWithUnknown(1) == Approx(96 / 16e3));  // not over 17 us
  CHECK(std::isnan(RateWithUnknown(2)));           // 16 of 18 us are less than 90 %
}

TEST_CASE("the flops of a node are the sum over its calls, also if they differ") {
  std::string trace = "[";
  for (const auto& [at, columns] : {std::pair(0, 1), std::pair(20, 1), std::pair(40, 2)}) {
    trace += fmt::format(R"({{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":{},
        "dur":10,"args":{{"Input Dims":[[1,1],[1,{}]]}}}},)",
                         at, columns);
  }
  trace.back() = ']';
  const StorePtr store = Opened(trace);
  Context context;
  const auto nodes = Indexes(store).Get<TraceNodes>(context).value();
  PlaceFilter place = PlaceFilter::Exact();
  place.flops.counts = true;
  const auto sums = nodes->indexes->Get<NodeSums>(place, context).value();
  const NodeId mm = nodes->store->NodeNamed(nodes->store->names.Find("aten::mm"));
  REQUIRE(mm.some());
  CHECK(At(sums->values[mm.value], Measure::float_ops) == 2 + 2 + 4);  // not 3 x (8 / 3)
}

}  // namespace tfprof::event_flops_test
