// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/device_ops.h"

#include <catch2/catch.hpp>
#include <memory>

#include "analysis/indexes.h"
#include "analysis/ops/kernels/kernel_rows.h"
#include "analysis/ops/op_times.h"
#include "tests/support/trace_of.h"

namespace tfprof::device_ops_test {
namespace {

std::shared_ptr<const OpTimes> AllOpsIn(const StorePtr& store) {
  Context context;
  return Indexes(store).Get<OpTimes>(OpAccounting::exact, context).value();
}

}  // namespace

TEST_CASE("the program row of a TPU is not an operation") {
  const StorePtr store = TraceOf(
      {{.name = "/device:TPU:0",
        .lanes = {{.name = "XLA Ops",
                   .events = {{"program", 0, 100}, {"dot.1", 10, 20}},
                   .role = LaneRole::ops}},
        .device = DeviceKind::tpu,
        .of_label = {{"program", {{"symbol", int64_t{0}}}}, {"dot.1", {{"symbol", int64_t{4}}}}}}});
  const auto times = AllOpsIn(store);
  REQUIRE(times->processes.at(0).ops.size() == 1);
  CHECK(times->processes[0].ops[0].instruction() == "dot.1");
}

TEST_CASE("model FLOPs differ from device FLOPs, and fall back to them if not recorded") {
  const StorePtr store =
      TraceOf({{.name = "/device:TPU:0",
                .lanes = {{.name = "XLA Ops",
                           .events = {{"dot.1", 0, 20}, {"dot.1", 30, 20}, {"dot.2", 60, 10}},
                           .role = LaneRole::ops}},
                .device = DeviceKind::tpu,
                .of_label = {{"dot.1", {{"flops", int64_t{100}}, {"model_flops", int64_t{60}}}},
                             {"dot.2", {{"flops", int64_t{7}}}}}}});
  const auto times = AllOpsIn(store);
  const std::vector<OpTime>& ops = times->processes.at(0).ops;
  REQUIRE(ops.size() == 2);
  CHECK(ops[0].device_flops.amount == 200);
  CHECK(ops[0].model_flops.amount == 120);
  CHECK(ops[1].device_flops.amount == 7);
  CHECK(ops[1].model_flops.amount == 7);
}

TEST_CASE("every kernel counts; for xprof those of a nanosecond or more") {
  TestEvent whole = TestKernel("h884", 0, 1, "a/MatMul:MatMul"), less = whole, longer = whole;
  less.start_ps = 10 * kTestNs;
  less.ps = kTestNs - 1;
  longer.start_ps = 20 * kTestNs;
  longer.ps = 3 * kTestNs;
  const StorePtr store = TraceOf({{.name = "/device:GPU:0",
                                   .lanes = {{.events = {whole, less, longer}}},
                                   .vendor = "Nvidia"}});
  const auto times = AllOpsIn(store);
  REQUIRE(times->processes.at(0).ops.size() == 1);
  const OpTime& op = times->processes[0].ops[0];
  CHECK(op.occurrences == 3);
  CHECK(op.total_ps == 5 * kTestNs - 1);
  CHECK(op.conclusive_kernel_ps == 4 * kTestNs);
  CHECK(op.tensor_core_ps == 4 * kTestNs);
  Context context;
  const Indexes indexes(store);
  const KernelRows kernels = KernelRows::Build(indexes, {}, context).value();
  CHECK(kernels.launches == 3);
  CHECK(kernels.rows.at(0).min_ps == kTestNs - 1);
  const KernelRows of_xprof =
      KernelRows::Build(indexes, {{}, OpAccounting::original}, context).value();
  CHECK(of_xprof.launches == 2);
  CHECK(of_xprof.rows.at(0).min_ps == kTestNs);
}

TEST_CASE("operations are those of the selected devices and hosts") {
  const auto gpu = [](int number, std::string host, int64_t ns) {
    return TestProcess{.name = "/device:GPU:" + std::to_string(number),
                       .lanes = {{.events = {TestKernel("k", 0, ns, "a/MatMul:MatMul")}}},
                       .host = std::move(host)};
  };
  const StorePtr store = TraceOf({gpu(0, "a", 10), gpu(1, "a", 20), gpu(2, "b", 40)});
  const auto times = AllOpsIn(store);
  const auto sum_ns = [&](const std::string& device, const std::string& host) {
    const PlaceFilter place{.host = host, .device = device};
    int64_t sum_ps = 0;
    for (const ProcessOps* of : ChooseOps(*store, *times, place, true))
      sum_ps += of->ops[0].self_ps;
    CHECK(ChooseOps(*store, *times, place, false).empty());
    return sum_ps / kTestNs;
  };
  CHECK(sum_ns("", "") == 70);
  CHECK(sum_ns("GPU:1", "") == 20);
  CHECK(sum_ns("", "b") == 40);
  CHECK(sum_ns("GPU:1", "b") == 0);
}

}  // namespace tfprof::device_ops_test
