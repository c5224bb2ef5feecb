// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <catch2/catch.hpp>

#include "tests/support/trace_of.h"

namespace tfprof::utilization_test {
namespace {

Report UtilizationOf(const std::vector<TestProcess>& processes, const Query& query = {}) {
  const StorePtr store = TraceOf(processes);
  Context context;
  return Utilization(store, Indexes(store), query, context).value();
}

TestEvent Kernel(int64_t start_ns, int64_t ns) { return TestKernel("k", start_ns, ns, ""); }

using Numbers = std::vector<int64_t>;
using Texts = std::vector<std::string_view>;

}  // namespace

TEST_CASE("a capture is cut into at most 60 buckets of 1, 2 or 5 times a power of ten") {
  // 590 ns need at least 9.83 ns each: 59 buckets of 10 ns.
  const Report report =
      UtilizationOf({{.name = "/device:GPU:0", .lanes = {{"s", {Kernel(0, 590)}}}}});
  REQUIRE(report.tables[0].rows == 59);
  CHECK(report.tables[0].Find("start_us")->integers[58] == 580 * kTestNs);
  CHECK(report.tables[0].Find("duration_us")->integers[58] == 10 * kTestNs);
  CHECK(report.Find("bucket_us")->integer == 10 * kTestNs);
  // 605 ns need more than 10 ns each: 31 buckets of 20 ns, of which the last one has 5 ns.
  const Report longer =
      UtilizationOf({{.name = "/device:GPU:0", .lanes = {{"s", {Kernel(0, 605)}}}}});
  REQUIRE(longer.tables[0].rows == 31);
  CHECK(longer.tables[0].Find("duration_us")->integers[30] == 5 * kTestNs);
  CHECK(longer.tables[0].Find("busy_pct")->reals[30] == Approx(1));
}

TEST_CASE("busy time counts once, in its bucket") {
  // The capture is [0, 50) ns: 50 buckets of 1 ns. Streams overlap in [2, 3).
  const Report report =
      UtilizationOf({{.lanes = {{"main", {{"work", 0, 50 * kTestNs}}}}},
                     {.name = "/device:GPU:0",
                      .lanes = {{"a", {{"k", 500, 2500}}},
                                {"b", {{"k", 2000, 2250}, {"moment", 9 * kTestNs, 0}}},
                                {"Steps", {{"1", 0, 50 * kTestNs}}, LaneRole::steps, true}}}});
  const Table& buckets = report.tables[0];
  REQUIRE(buckets.rows == 50);
  const Numbers busy(buckets.Find("busy_us")->integers.begin(),
                     buckets.Find("busy_us")->integers.begin() + 6);
  CHECK(busy == Numbers{500, 1000, 1000, 1000, 250, 0});
  CHECK(buckets.Find("busy_pct")->reals[4] == Approx(0.25));
  const Table& devices = report.tables[1];
  CHECK(devices.Find("duration_us")->integers == Numbers{50 * kTestNs});
  CHECK(devices.Find("busy_us")->integers == Numbers{3750});
  CHECK(devices.Find("busy_pct")->reals[0] == Approx(0.075));
  CHECK(devices.Find("min_busy_pct")->reals[0] == Approx(0));
  CHECK(devices.Find("max_busy_pct")->reals[0] == Approx(1));
  CHECK(devices.Find("idle_us")->integers == Numbers{46250});
}

TEST_CASE("devices share the buckets, and each has a curve in percent") {
  const Report report = UtilizationOf({{.name = "/device:GPU:0", .lanes = {{"s", {Kernel(1, 1)}}}},
                                       {.name = "/device:GPU:1", .lanes = {{"s", {Kernel(2, 9)}}}},
                                       {.name = "/device:GPU:2", .lanes = {{"s", {}}}}});
  // [1, 11) ns: 50 buckets of 200 ps.
  const Table& buckets = report.tables[0];
  REQUIRE(buckets.rows == 100);
  CHECK(buckets.Find("start_us")->integers[0] == 0);
  CHECK(buckets.Find("start_us")->integers[50] == 0);
  CHECK(buckets.Find("busy_us")->integers[4] == 200);
  CHECK(buckets.Find("busy_us")->integers[5] == 0);
  CHECK(buckets.Find("busy_us")->integers[54] == 0);
  CHECK(buckets.Find("busy_us")->integers[55] == 200);
  REQUIRE(report.tables[1].Find("device")->texts == Texts{"/device:GPU:0", "/device:GPU:1"});
  REQUIRE(report.charts.size() == 2);
  CHECK(report.charts[0].values[0] == 100);
  CHECK(report.charts[0].values[49] == 0);
}

TEST_CASE("-device selects devices; without any the view explains how to record them") {
  Query query;
  query.place.device = "GPU:1";
  const Report picked = UtilizationOf({{.name = "/device:GPU:0", .lanes = {{"s", {Kernel(0, 5)}}}},
                                       {.name = "/device:GPU:1", .lanes = {{"s", {Kernel(0, 5)}}}}},
                                      query);
  CHECK(picked.tables[1].Find("device")->texts == Texts{"/device:GPU:1"});
  const Report none = UtilizationOf({{.lanes = {{"main", {{"work", 0, 5}}}}}});
  CHECK(none.tables[0].rows == 0);
  CHECK(none.notes.size() == 1);
}

}  // namespace tfprof::utilization_test
