// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/trace_of.h"
#include "views/columns/device_use.h"
#include "views/views.h"

namespace tfprof::op_profile_test {
namespace {

constexpr int64_t kUs = 1'000'000;

TestDetails Op(int64_t program, const std::string& category, int64_t bytes = kNoInt) {
  TestDetails details = {{"program", program}, {"op_category", category}};
  if (bytes != kNoInt) details["bytes_accessed"] = bytes;
  return details;
}

TestDetails WithFlops(TestDetails details, int64_t flops) {
  details["flops"] = flops;
  return details;
}

// 1 GFLOP/s and 1 GB/s at most: 1000 flops and bytes a us. The flops of dot.9 are not recorded.
StorePtr TwoPrograms() {
  const StorePtr store = TraceOf(
      {{.name = "/device:TPU:0",
        .lanes = {{.name = "XLA Modules",
                   .events = {{"jit_f(1)", 0, 200 * kUs}, {"jit_g(2)", 200 * kUs, 50 * kUs}},
                   .role = LaneRole::modules},
                  {.name = "XLA Ops",
                   .events = {{"dot.2", 0, 50 * kUs},
                              {"sum.3", 50 * kUs, 30 * kUs},
                              {"copy-done.4", 80 * kUs, 20 * kUs},
                              {"dot.9", 200 * kUs, 40 * kUs}},
                   .role = LaneRole::ops}},
        .device = DeviceKind::tpu,
        .of_label = {{"dot.2", WithFlops(Op(1, "convolution", 10'000), 20'000)},
                     {"sum.3", WithFlops(Op(1, "loop fusion", 12'000), 600)},
                     {"copy-done.4", WithFlops(Op(1, "copy-done"), 0)},
                     {"dot.9", Op(2, "convolution")}}}});
  Device& device = const_cast<Store&>(*store).devices[0];
  device.peak_flops_per_s = 1e9;
  device.memory_bytes_per_s = 1'000'000'000;
  return store;
}

Report ProfileBy(RowsBy by) {
  const StorePtr store = TwoPrograms();
  Query query;
  query.rows_by = by;
  Context context;
  return Hlo(store, Indexes(store), query, context).value();
}

using Numbers = std::vector<int64_t>;
using Texts = std::vector<std::string_view>;

}  // namespace

TEST_CASE("hlo -by category: categories above their instructions, with what they used") {
  const Report report = ProfileBy(RowsBy::category);
  const Table& table = report.tables.at(0);
  REQUIRE(table.name == "op_profile");
  REQUIRE(table.tree);
  CHECK(table.Find("name")->texts == Texts{kRootName, "convolution", "dot.2", "dot.9",
                                           "loop fusion", "sum.3", "copy-done", "copy-done.4"});
  CHECK(table.depth == std::vector<uint32_t>{0, 1, 2, 2, 1, 2, 1, 2});
  // The trace has no program of that number: the report keeps its text.
  CHECK(table.Find("program")->texts[2] == "1");
  const uint32_t none = Table::kNoRow;
  CHECK(table.parent == std::vector<uint32_t>{none, 0, 1, 1, 0, 4, 0, 6});
  CHECK(table.Find("time_us")->integers ==
        Numbers{140 * kUs, 90 * kUs, 50 * kUs, 40 * kUs, 30 * kUs, 30 * kUs, 20 * kUs, 20 * kUs});
  const auto& share = table.Find("share_pct")->reals;
  CHECK(share[1] == Approx(100 * 90.0 / 120));  // of what does not wait
  CHECK(share[5] == Approx(100 * 30.0 / 120));
  CHECK(std::isnan(share[6]));
  const auto& flops = table.Find("flops_utilization_pct")->reals;
  CHECK(std::isnan(flops[0]));  // known for 100 of 140 us
  CHECK(flops[2] == Approx(100 * 20.0 / 50));
  CHECK(std::isnan(flops[3]));
  CHECK(flops[5] == Approx(100 * 0.6 / 30));
  CHECK(flops[7] == 0);  // a stall computes nothing
  const auto& memory = table.Find("bandwidth_utilization_pct")->reals;
  CHECK(memory[2] == Approx(100 * 10.0 / 50));
  CHECK(memory[4] == Approx(100 * 12.0 / 30));
  CHECK(std::isnan(memory[7]));
  const auto& wasted = table.Find("wasted_flops")->reals;
  CHECK(wasted[2] == Approx(50'000 - 20'000));
  CHECK(wasted[5] == Approx(30'000 - 600));
  CHECK(wasted[7] == Approx(20'000));
  CHECK(table.Find("known_flops_us")->integers[0] == 100 * kUs);
}

TEST_CASE("hlo -by program: model flops over the executions of the program") {
  const Report report = ProfileBy(RowsBy::program);
  const Table& table = report.tables.at(0);
  CHECK(table.Find("name")->texts == Texts{kRootName, "1", "convolution", "dot.2", "loop fusion",
                                           "sum.3", "copy-done", "copy-done.4", "2", "convolution",
                                           "dot.9"});
  CHECK(table.Find("runs")->integers[1] == 1);
  CHECK(table.Find("flops_utilization_pct")->reals[1] == Approx(100 * 20.6 / 100));
  CHECK(std::isnan(table.Find("bandwidth_utilization_pct")->reals[1]));  // 80 of 100 us
  CHECK(table.Find("wasted_flops")->reals[1] == Approx(100'000 - 20'600));
  const auto& mfu = table.Find("mfu_pct")->reals;
  CHECK(mfu[1] == Approx(100 * 20.6 / 200));
  CHECK(std::isnan(mfu[3]));  // an instruction has no executions
  CHECK(std::isnan(mfu[8]));
  const Table& programs = report.tables.at(1);
  CHECK(programs.Find("mfu_pct")->reals[0] == Approx(100 * 20.6 / 200));
}

TEST_CASE("hlo -by and -all exclude each other") {
  const StorePtr store = TwoPrograms();
  Query query;
  query.rows_by = RowsBy::program;
  query.programs.all = true;
  Context context;
  CHECK_FALSE(Hlo(store, Indexes(store), query, context).has_value());
}

TEST_CASE("elementwise work and work over links do nothing of the matrix units' work") {
  DeviceUse use;
  const DevicePeaks peaks{1e12, 1e12, kNoReal};
  OpTime tanh;
  tanh.self_ps = tanh.total_ps = 10 * kUs;
  tanh.may_use_matrix_units = false;
  tanh.device_flops.Add(1e6, 10 * kUs);
  use.Add(peaks, tanh);
  OpTime reduce = tanh;
  reduce.may_use_matrix_units = true;
  reduce.over_links = true;
  use.Add(peaks, reduce);
  CHECK(use.FlopsShare(peaks) == 0);
  CHECK(use.WastedFlops(peaks) == Approx(20e6));
  CHECK(std::isnan(use.BandwidthShare(peaks)));
  OpTime loop = tanh;  // around others
  loop.self_ps = 1 * kUs;
  loop.may_use_matrix_units = true;
  use.Add(peaks, loop);
  CHECK(use.flops == 0);
  CHECK(use.time_ps == 21 * kUs);
}

}  // namespace tfprof::op_profile_test
