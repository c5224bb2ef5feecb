// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/trace_of.h"

namespace tfprof::roofline_test {
namespace {

constexpr int64_t kUs = 1'000'000;

TestDetails CostOf(int64_t flops, int64_t bytes) {
  return {{"program", int64_t{1}}, {"flops", flops}, {"bytes_accessed", bytes}};
}

// A loop, whose cost is that of its body, around a product; a sum behind it. 1 GFLOP/s and 1 GB/s
// at most.
Report LoopUnderTheRoof() {
  const StorePtr store = TraceOf({{.name = "/device:TPU:0",
                                   .lanes = {{.name = "XLA Ops",
                                              .events = {{"while.1", 0, 100 * kUs},
                                                         {"dot.2", 10 * kUs, 50 * kUs},
                                                         {"sum.3", 200 * kUs, 30 * kUs}},
                                              .role = LaneRole::ops}},
                                   .device = DeviceKind::tpu,
                                   .of_label = {{"while.1", CostOf(1000, 500)},
                                                {"dot.2", CostOf(1000, 500)},
                                                {"sum.3", CostOf(600, 1200)}}}});
  Device& device = const_cast<Store&>(*store).devices[0];
  device.peak_flops_per_s = 1e9;
  device.memory_bytes_per_s = 1'000'000'000;
  Context context;
  return Roofline(store, Indexes(store), {}, context).value();
}

size_t RowOf(const Table& table, std::string_view id, std::string_view text) {
  const auto& texts = table.Find(id)->texts;
  const auto at = std::find(texts.begin(), texts.end(), text);
  REQUIRE(at != texts.end());
  return static_cast<size_t>(at - texts.begin());
}

}  // namespace

TEST_CASE("totals of the roofline count the contents of a loop once") {
  const Report report = LoopUnderTheRoof();
  const Table& points = report.tables.at(0);
  for (const std::string_view kind : {"total", "program"}) {
    INFO(kind);
    const size_t row = RowOf(points, "kind", kind);
    CHECK(points.Find("runs")->integers[row] == 2);
    CHECK(points.Find("time_us")->integers[row] == 80 * kUs);
    CHECK(points.Find("flops_per_s")->reals[row] == Approx(1600 / 80e-6 / 1e9));
    CHECK(points.Find("intensity_flops_per_byte")->reals[row] == Approx(1600.0 / 1700));
  }
}

TEST_CASE("the roof is the lower of memory and compute limits") {
  const Report report = LoopUnderTheRoof();
  const Table& points = report.tables.at(0);
  const auto roof = [&](std::string_view name) {
    return points.Find("roof_flops_per_s")->reals[RowOf(points, "name", name)];
  };
  CHECK(roof("dot.2") == Approx(1));    // memory allows 2
  CHECK(roof("sum.3") == Approx(0.5));  // memory allows half a flop a byte
}

}  // namespace tfprof::roofline_test
