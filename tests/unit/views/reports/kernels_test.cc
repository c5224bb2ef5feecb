// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/ops/kernels/kernel_rows.h"
#include "core/report/report.h"
#include "tests/support/kineto_of.h"
#include "tests/support/trace_of.h"

namespace tfprof::kernels_test {
namespace {

TEST_CASE("kernels are distinguished by their parameters; for xprof a kernel has a nanosecond") {
  TestEvent small = TestKernel("k", 0, 5, "a:A"), large = TestKernel("k", 10, 7, "a:A");
  small.details["grid"] = std::string("1,2,3");
  large.details["grid"] = std::string("4,2,3");
  large.details["launch"] = std::string("regs:32 grid:4,2,3");
  large.details["registers"] = uint64_t{32};
  TestEvent again = large, short_one = large;
  again.start_ps = 40 * kTestNs;
  again.ps = 2 * kTestNs;
  short_one.start_ps = 50 * kTestNs;
  short_one.ps = kTestNs - 1;
  const StorePtr store =
      TraceOf({{.name = "/device:GPU:0", .lanes = {{.events = {small, large, again, short_one}}}},
               {.name = "/device:GPU:1", .lanes = {{.events = {small}}}}});
  const Indexes indexes(store);
  Context context;
  Query query;
  KernelRows found =
      KernelRows::Build(indexes, {query.place, OpAccounting::original}, context).value();
  REQUIRE(found.launches == 4);
  REQUIRE(found.rows.size() == 2);
  REQUIRE(found.rows[0].grid == "1,2,3");
  REQUIRE(found.rows[0].block.data() == nullptr);
  REQUIRE(found.rows[0].total_ps == 10 * kTestNs);
  REQUIRE(found.rows[0].registers == kNoInt);
  REQUIRE(found.rows[0].shared_bytes == kNoInt);
  REQUIRE(std::isnan(found.rows[0].occupancy_pct));
  REQUIRE(found.rows[1].registers == 32);
  REQUIRE(found.rows[1].occurrences == 2);
  REQUIRE(found.rows[1].min_ps == 2 * kTestNs);
  REQUIRE(found.rows[1].max_ps == 7 * kTestNs);
  query.place.device = "gpu:1";
  REQUIRE(
      KernelRows::Build(indexes, {query.place, OpAccounting::original}, context).value().launches ==
      1);
}

// The one row of a kernel with that launch on a GPU of that vendor.
Report KernelOf(const TestDetails& launch, const std::string& vendor) {
  TestEvent event = TestKernel("nvjet_hmma", 0, 5, "a/MatMul:MatMul");
  for (const auto& [key, value] : launch) event.details[key] = value;
  const StorePtr store =
      TraceOf({{.name = "/device:GPU:0", .lanes = {{.events = {event}}}, .vendor = vendor}});
  Context context;
  return Kernels(store, Indexes(store), {}, context).value();
}

TEST_CASE("unrecorded launch parameters are absent, and 0 where scripts compare with xprof") {
  const Report none = KernelOf({{"registers", uint64_t{0}}, {"occupancy_pct", 0.0}}, "Nvidia");
  const Table& table = none.tables[0];
  CHECK(table.Find("registers")->integers[0] == kNoInt);
  CHECK(table.Find("registers_per_thread")->integers[0] == 0);
  CHECK(table.Find("shared_memory")->integers[0] == kNoInt);
  CHECK(table.Find("shmem_bytes")->integers[0] == 0);
  CHECK(std::isnan(table.Find("occupancy_pct")->reals[0]));
  CHECK(table.Find("original_occupancy_pct")->reals[0] == 0);
  CHECK(table.Find("grid_dim")->texts[0].data() == nullptr);
  // A block may do without shared memory; where a thread has more registers than there are,
  // nothing of the launch was recorded.
  const Report recorded =
      KernelOf({{"registers", uint64_t{32}}, {"shared_memory", uint64_t{0}}}, "");
  CHECK(recorded.tables[0].Find("registers")->integers[0] == 32);
  CHECK(recorded.tables[0].Find("shared_memory")->integers[0] == 0);
  const Report garbage =
      KernelOf({{"registers", uint64_t{2191500840}}, {"shared_memory", uint64_t{32462}}}, "AMD");
  CHECK(garbage.tables[0].Find("registers")->integers[0] == kNoInt);
  CHECK(garbage.tables[0].Find("shared_memory")->integers[0] == kNoInt);
}

TEST_CASE("inconclusive kernel names leave tensor-core use empty, and a note explains it") {
  for (const auto& [vendor, uses] :
       {std::pair("Nvidia", int64_t{1}), std::pair("", int64_t{1}), std::pair("AMD", kNoInt)}) {
    INFO(vendor);
    const Report report = KernelOf({}, vendor);
    for (const char* id : {"is_kernel_using_tensor_core", "is_op_tensor_core_eligible",
                           "is_tensor_core_by_any_name"}) {
      CHECK(report.tables[0].Find(id)->integers[0] == uses);
    }
    CHECK(report.notes.size() == (uses == kNoInt ? 1 : 0));
  }
}

TEST_CASE("the grid is not droppable if nothing else distinguishes kernels") {
  const auto spares = [](const std::string& grid, const std::string& op) {
    TestEvent one = TestKernel("k", 0, 5, "a:A"), other = TestKernel("k", 10, 7, op);
    one.details["grid"] = std::string("1,2,3");
    one.details["launch"] = std::string("grid:1,2,3");
    other.details["grid"] = grid;
    other.details["launch"] = "grid:" + grid;
    const StorePtr store =
        TraceOf({{.name = "/device:GPU:0", .lanes = {{.events = {one, other}}}}});
    Context context;
    const Report report = Kernels(store, Indexes(store), {}, context).value();
    const Table& table = report.tables.at(0);
    return std::pair(table.Find("grid_dim")->spec.droppable,
                     table.Find("block_dim")->spec.droppable);
  };
  CHECK(spares("4,2,3", "a:A") == std::pair(false, true));
  CHECK(spares("4,2,3", "b:B") == std::pair(true, true));
  CHECK(spares("1,2,3", "a:A") == std::pair(true, true));
}

TEST_CASE("launches of one kernel on several devices are one row: min, max and mean of all") {
  const auto gpu = [](int number, std::vector<int64_t> launches_ns) {
    TestProcess process{.name = "/device:GPU:" + std::to_string(number), .lanes = {{}}};
    for (const int64_t ns : launches_ns) {
      const auto start_ns = static_cast<int64_t>(100 * process.lanes[0].events.size());
      process.lanes[0].events.push_back(TestKernel("k", start_ns, ns, "a:A"));
    }
    return process;
  };
  Context context;
  const StorePtr store = TraceOf({gpu(0, {5000, 4000}), gpu(1, {3000, 7000, 6000})});
  const Report report = Kernels(store, Indexes(store), {}, context).value();
  const Table& table = report.tables.at(0);
  REQUIRE(table.rows == 1);
  CHECK(table.Find("launches")->integers[0] == 5);
  CHECK(table.Find("min_us")->integers[0] == 3000 * kTestNs);
  CHECK(table.Find("max_us")->integers[0] == 7000 * kTestNs);
  CHECK(table.Find("mean_us")->reals[0] == Approx(5));
}

// Two kernels of one operation and one of no operation. The first two are launched within MatMul.
StorePtr LaunchedKernels() {
  const auto call = [](int64_t start_ns, int64_t id) {
    return TestEvent{"cudaLaunchKernel", start_ns * kTestNs, 5 * kTestNs, {{"correlation", id}}};
  };
  const auto kernel = [](const char* name, int64_t start_ns, int64_t ns, const char* op,
                         int64_t id) {
    TestEvent event = TestKernel(name, start_ns, ns, op);
    event.details["correlation"] = id;
    return event;
  };
  const TestEvent op{"dense/MatMul:MatMul", 0, 100 * kTestNs, {}};
  return TraceOf(
      {{.name = "/host:CPU", .lanes = {{.events = {op, call(10, 1), call(20, 2), call(200, 3)}}}},
       {.name = "/device:GPU:0",
        .lanes = {{.events = {kernel("void n::f<4, n::add>(int)", 300, 10, "a:A", 1),
                              kernel("void n::f<4, n::mul>(int)", 400, 20, "a:A", 2),
                              kernel("void n::f<4, n::add>(int)", 500, 40, "", 3)}}}}});
}

Report KernelsWith(RowsBy by) {
  const StorePtr store = LaunchedKernels();
  Query query;
  query.rows_by = by;
  Context context;
  return Kernels(store, Indexes(store), query, context).value();
}

TEST_CASE("-by name, op and launch merge kernels") {
  const Report by_name_report = KernelsWith(RowsBy::name);
  const Table& by_name = by_name_report.tables.at(0);
  REQUIRE(by_name.rows == 2);
  CHECK(by_name.Find("kernel")->texts[0] == "void n::f<4, n::add>(int)");
  CHECK(by_name.Find("launches")->integers == std::vector<int64_t>{2, 1});
  CHECK(by_name.Find("time_us")->integers == std::vector<int64_t>{50 * kTestNs, 20 * kTestNs});
  CHECK(by_name.Find("min_us")->integers[0] == 10 * kTestNs);
  CHECK(by_name.Find("max_us")->integers[0] == 40 * kTestNs);
  CHECK(by_name.Find("share_pct")->reals[0] == Approx(50.0 / 70));

  const Report by_op_report = KernelsWith(RowsBy::op);
  const Table& by_op = by_op_report.tables.at(0);
  REQUIRE(by_op.rows == 2);
  CHECK(by_op.Find("op")->texts[0].empty());
  CHECK(by_op.Find("op")->texts[1] == "a");
  CHECK(by_op.Find("kernels")->integers == std::vector<int64_t>{1, 2});
  CHECK(by_op.Find("time_us")->integers == std::vector<int64_t>{40 * kTestNs, 30 * kTestNs});

  const Report by_launch_report = KernelsWith(RowsBy::launch);
  const Table& by_launch = by_launch_report.tables.at(0);
  REQUIRE(by_launch.rows == 2);
  CHECK(by_launch.Find("op")->texts[0].empty());
  CHECK(by_launch.Find("op")->texts[1] == "dense/MatMul");
  CHECK(by_launch.Find("launched_by")->texts[0] == "cudaLaunchKernel");
  CHECK(by_launch.Find("launched_by")->texts[1] == "cudaLaunchKernel");
  CHECK(by_launch.Find("kernels")->integers == std::vector<int64_t>{1, 2});
  CHECK(by_launch.Find("launches")->integers == std::vector<int64_t>{1, 2});
  CHECK(by_launch.Find("time_us")->integers == std::vector<int64_t>{40 * kTestNs, 30 * kTestNs});
}

TEST_CASE("kernels of an operation are counted by name, not by grid") {
  TestEvent small = TestKernel("k", 0, 10, "a:A"), large = TestKernel("k", 20, 30, "a:A");
  small.details["launch"] = std::string("grid:1,1,1");
  large.details["launch"] = std::string("grid:2,1,1");
  small.details["grid"] = std::string("1,1,1");
  large.details["grid"] = std::string("2,1,1");
  const TestEvent other = TestKernel("m", 60, 5, "a:A");
  const StorePtr store =
      TraceOf({{.name = "/device:GPU:0", .lanes = {{.events = {small, large, other}}}}});
  Context context;
  Query query;
  CHECK(Kernels(store, Indexes(store), query, context).value().tables.at(0).rows == 3);
  query.rows_by = RowsBy::op;
  const Report report = Kernels(store, Indexes(store), query, context).value();
  const Table& table = report.tables.at(0);
  REQUIRE(table.rows == 1);
  CHECK(table.Find("kernels")->integers[0] == 2);
  CHECK(table.Find("launches")->integers[0] == 3);
}

TEST_CASE("tables for readers have short names of kernels, told apart") {
  const StorePtr store = LaunchedKernels();
  Query query;
  Context context;
  const Report report = Kernels(store, Indexes(store), query, context).value();
  const Table& table = report.tables.at(0);
  REQUIRE(table.rows == 3);
  CHECK(table.Find("short_kernel")->texts[0] == "f<4, add>");
  CHECK(table.Find("short_kernel")->texts[1] == "f<4, mul>");
  CHECK(table.Find("short_kernel")->spec.human_readable);
  CHECK_FALSE(table.Find("kernel")->spec.human_readable);
  query.display.full_names = true;
  const Report full = Kernels(store, Indexes(store), query, context).value();
  CHECK_FALSE(full.tables[0].Find("short_kernel")->spec.human_readable);
  CHECK(full.tables[0].Find("kernel")->spec.human_readable);
  query.display.original_ids = true;
  const Report original = Kernels(store, Indexes(store), query, context).value();
  CHECK(original.tables[0].Find("short_kernel") == nullptr);
}

}  // namespace

TEST_CASE("work that records no operation has the one around the call that launched it") {
  const StorePtr store =
      KinetoOf({{"cpu_op", "aten::linear", 0, 90},
                {"cpu_op", "aten::mm", 5, 20},
                {"cuda_runtime", "cudaLaunchKernel", 10, 5, 1, R"("correlation": 3)"},
                {"cuda_runtime", "cudaMemcpyAsync", 40, 5, 1, R"("correlation": 4)"},
                {"kernel", "gemm", 50, 5, 7, R"("correlation": 3, "registers per thread": 32)"},
                {"gpu_memcpy", "Memcpy HtoD (Device -> Device)", 60, 5, 7, R"("correlation": 4)"}});
  Context context;
  const Report kernels = Kernels(store, Indexes(store), {}, context).value();
  CHECK(kernels.tables[0].Find("op")->texts == std::vector<std::string_view>{"aten::mm"});
  const Report transfers = Transfers(store, Indexes(store), {}, context).value();
  CHECK(transfers.tables[1].Find("op")->texts == std::vector<std::string_view>{"aten::linear"});
}

}  // namespace tfprof::kernels_test
