// SPDX-License-Identifier: Apache-2.0
#include "views/op_stats.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/fold.h"
#include "tests/unit/trace_of.h"

namespace tfprof {
namespace {

constexpr int64_t kUs = 1'000'000;

// Layers of a TPU and of its host, and instructions that came from no operation.
StorePtr LayersOnBothSides() {
  std::vector<TestEvent> device, host;
  std::map<std::string, TestDetails> of_label;
  int64_t at = 0;
  const auto run = [&](const std::string& instruction, int64_t us, TestDetails facts) {
    device.push_back({instruction, at, us * kUs});
    at += us * kUs;
    facts["program"] = int64_t{1};
    of_label[instruction] = std::move(facts);
  };
  run("head", 9, {{"op", "head/MatMul:MatMul"}});
  for (const int64_t layer : {0, 1, 2}) {
    run("dot." + std::to_string(layer), 4,
        {{"op", "layer_" + std::to_string(layer) + "/MatMul:MatMul"},
         {"flops", 1000 * (layer + 1)},
         {"bytes_accessed", int64_t{500}}});
    run("copy." + std::to_string(layer), 1, {});
    host.push_back({"layer_" + std::to_string(layer) + "/Cast:Cast", 100 * layer * kUs, 50 * kUs});
  }
  return TraceOf({{.name = "/device:TPU:0",
                   .lanes = {{.name = "XLA Ops", .events = device, .role = LaneRole::ops}},
                   .device = DeviceKind::tpu,
                   .of_label = of_label},
                  {.lanes = {{.events = host}}}});
}

Report StatsOf(const StorePtr& store) {
  const Indexes indexes(store);
  Context context;
  return OpStats(store, indexes, {}, context).value();
}

}  // namespace

TEST_CASE("layers fold on their side of op_stats, instructions of programs do not") {
  Report report = StatsOf(LayersOnBothSides());
  Context context;
  REQUIRE(Fold(&report, context));
  const Table& table = report.tables.at(1);
  REQUIRE(table.name == "without_idle");
  const auto texts = [&](std::string_view id) { return table.Find(id)->texts; };
  // Those of the device take 12 us together and so stand first, of the host's 150 us nobody asks.
  CHECK(texts("operation") == std::vector<std::string_view>{"layer_{0..2}/MatMul", "head/MatMul",
                                                            "copy.0", "copy.1", "copy.2",
                                                            "layer_{0..2}/Cast"});
  CHECK(texts("host_or_device").front() == "Device");
  CHECK(texts("host_or_device").back() == "Host");
  CHECK(texts("type").front() == "MatMul");
  CHECK(table.Find("rows")->integers == std::vector<int64_t>{3, 1, 1, 1, 1, 3});
  CHECK(table.Find("total_self_time")->integers.front() == 12 * kUs);
  CHECK(table.Find("occurrences")->integers.front() == 3);
  CHECK(table.Find("avg_time")->reals.front() == Approx(4));
  CHECK(table.Find("self_time_share")->reals.front() == Approx(12.0 / 24));
  // 6000 flops in 12 us, 1500 bytes in 12 us.
  CHECK(table.Find("model_flop_rate")->reals.front() == Approx(0.5));
  CHECK(table.Find("memory_rate")->reals.front() == Approx(0.125));
  CHECK(table.Find("rank")->integers.front() == kNoInt);
  CHECK(std::isnan(table.Find("model_flop_rate")->reals.back()));
}

}  // namespace tfprof
