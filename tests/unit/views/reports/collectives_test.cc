// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/ops/collectives.h"
#include "loaders/open.h"
#include "tests/support/source_of.h"
#include "tests/support/trace_of.h"

namespace tfprof::collectives_test {
namespace {

constexpr char kNccl[] = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)";

Report CollectivesOf(const std::vector<TestProcess>& processes, const Query& query = {}) {
  const StorePtr store = TraceOf(processes);
  Context context;
  return Collectives(store, Indexes(store), query, context).value();
}

TestEvent Nccl(int64_t start_ns, int64_t ns) { return TestKernel(kNccl, start_ns, ns, ""); }

TestProcess TpuOf(const std::string& name, const std::vector<TestEvent>& events) {
  TestLane lane{.name = "XLA Ops", .events = events, .role = LaneRole::ops};
  return {.name = name, .lanes = {lane}, .device = DeviceKind::tpu};
}

using Numbers = std::vector<int64_t>;
using Texts = std::vector<std::string_view>;

}  // namespace

TEST_CASE("collectives are recognized by the names of kernels and instructions") {
  CHECK(CollectiveOf(kNccl) == Collective::all_reduce);
  CHECK(CollectiveOf("ncclKernel_ReduceScatter_RING_LL_Sum_half(ncclWorkElem)") ==
        Collective::reduce_scatter);
  CHECK(CollectiveOf("ncclDevKernel_Reduce_Sum_f32_RING_LL") == Collective::reduce);
  CHECK(CollectiveOf("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)") ==
        Collective::send_receive);
  CHECK(CollectiveOf("ncclDevKernel_Generic") == Collective::other);
  CHECK(CollectiveOf("all-gather-start.3") == Collective::all_gather);
  CHECK(CollectiveOf("ragged-all-to-all.1") == Collective::all_to_all);
  CHECK(CollectiveOf("collective-permute") == Collective::send_receive);
}

TEST_CASE("bus bandwidth is that of nccl-tests") {
  CHECK(BusFactor(Collective::all_reduce, 8) == Approx(1.75));
  CHECK(BusFactor(Collective::all_gather, 8) == Approx(0.875));
  CHECK(BusFactor(Collective::reduce_scatter, 2) == Approx(0.5));
  CHECK(BusFactor(Collective::all_to_all, 4) == Approx(0.75));
  CHECK(BusFactor(Collective::broadcast, kNoInt) == Approx(1));
  CHECK(std::isnan(BusFactor(Collective::all_reduce, kNoInt)));
}

TEST_CASE("the size of a group is parsed from either form of replica groups") {
  CHECK(GroupSize("{{0,1,2},{3,4,5}}") == 3);
  CHECK(GroupSize("[4,2]<=[2,4]T(1,0)") == 2);
  CHECK(GroupSize("{}") == kNoInt);
  CHECK(GroupSize("") == kNoInt);
  CHECK(ReplicaGroups("%a = f32[2] all-reduce(f32[2] %x), replica_groups={{0,1}}, to_apply=%s") ==
        "{{0,1}}");
}

TEST_CASE("time with another kernel is overlapped; copies are not compute") {
  // The collective runs in [100, 200). Kernels cover [80, 120), [110, 130) and [190, 300).
  const TestEvent copy{"MemcpyH2D", 140 * kTestNs, 20 * kTestNs, {{"work", int64_t{1}}}};
  const Report report =
      CollectivesOf({{.name = "/device:GPU:0",
                      .lanes = {{"c", {TestKernel("k", 80, 40, ""), TestKernel("k", 190, 110, "")}},
                                {"d", {TestKernel("k", 110, 20, "")}},
                                {"h", {copy}},
                                {"n", {Nccl(100, 100)}}}}});
  const Table& table = report.tables[0];
  REQUIRE(table.rows == 1);
  CHECK(table.Find("collective")->texts == Texts{"all-reduce"});
  CHECK(table.Find("time_us")->integers == Numbers{100 * kTestNs});
  CHECK(table.Find("overlapped_us")->integers == Numbers{40 * kTestNs});
  CHECK(table.Find("exposed_us")->integers == Numbers{60 * kTestNs});
  CHECK(table.Find("exposed_pct")->reals[0] == Approx(0.6));
  CHECK(table.Find("bytes")->integers == Numbers{kNoInt});
  CHECK(std::isnan(table.Find("bandwidth_bytes_per_s")->reals[0]));
  CHECK(table.Find("group_size")->integers == Numbers{kNoInt});
  CHECK(report.notes.size() == 3);  // bytes, groups, a single device
}

TEST_CASE("devices wait for the last one, per call") {
  // First call: 30, 10, 20 ns; second call: 10, 40, 15 ns.
  const Report report =
      CollectivesOf({{.name = "/device:GPU:0", .lanes = {{"n", {Nccl(0, 30), Nccl(100, 10)}}}},
                     {.name = "/device:GPU:1", .lanes = {{"n", {Nccl(20, 10), Nccl(70, 40)}}}},
                     {.name = "/device:GPU:2", .lanes = {{"n", {Nccl(10, 20), Nccl(95, 15)}}}}});
  const Table& waits = report.tables[1];
  REQUIRE(waits.Find("device")->texts == Texts{"/device:GPU:1", "/device:GPU:0", "/device:GPU:2"});
  CHECK(waits.Find("count")->integers == Numbers{2, 2, 2});
  CHECK(waits.Find("time_us")->integers == Numbers{50 * kTestNs, 40 * kTestNs, 35 * kTestNs});
  CHECK(waits.Find("waiting_us")->integers == Numbers{30 * kTestNs, 20 * kTestNs, 15 * kTestNs});
  CHECK(waits.Find("last")->integers == Numbers{1, 1, 0});
  CHECK(waits.Find("caused_us")->integers == Numbers{30 * kTestNs, 35 * kTestNs, 0});
}

TEST_CASE("of calls that devices ran unequally often, those that end together are matched") {
  const auto waiting = [](int64_t start_ns) {
    const Report report =
        CollectivesOf({{.name = "/device:GPU:0", .lanes = {{"n", {Nccl(0, 30), Nccl(100, 40)}}}},
                       {.name = "/device:GPU:1", .lanes = {{"n", {Nccl(start_ns, 10)}}}}});
    return report.tables[1].Find("waiting_us")->integers;
  };
  CHECK(waiting(131) == Numbers{30 * kTestNs, 0});  // the second one, which ends at 140
  CHECK(waiting(21) == Numbers{20 * kTestNs, 0});
  CHECK(waiting(200).empty());  // no call ends within 10 ns
}

TEST_CASE("kernels of groups that were not recorded are matched if they end together") {
  const auto waiting = [](int64_t start_ns) {
    const Report report =
        CollectivesOf({{.name = "/device:GPU:0", .lanes = {{"n", {Nccl(0, 30), Nccl(100, 40)}}}},
                       {.name = "/device:GPU:1",
                        .lanes = {{"n", {Nccl(start_ns, 10), Nccl(100 + start_ns, 10)}}}}});
    return report.tables[1].Find("waiting_us")->integers;
  };
  CHECK(waiting(22) == Numbers{50 * kTestNs, 0});  // they end 2 ns and 8 ns apart
  CHECK(waiting(500).empty());                     // two groups of one device each
}

TEST_CASE("a TPU's all-reduce has the bytes and the group of its instruction") {
  const std::string name =
      "%all-reduce.1 = f32[1000]{0} all-reduce(f32[1000]{0} %x), channel_id=1, "
      "replica_groups=[2,4]<=[8], to_apply=%sum";
  // A loop around it does not compute by itself: the collective is exposed.
  const Report report = CollectivesOf(
      {TpuOf("/device:TPU:0", {{"%while.2 = f32[1000]{0} while(f32[1000]{0} %y)", 0, 9000},
                               {name, 1000, 2000},
                               {name, 5000, 2000}})});
  const Table& table = report.tables[0];
  REQUIRE(table.rows == 1);
  CHECK(table.Find("name")->texts == Texts{"all-reduce.1"});
  CHECK(table.Find("group_size")->integers == Numbers{4});
  CHECK(table.Find("count")->integers == Numbers{2});
  CHECK(table.Find("bytes")->integers == Numbers{8000});
  CHECK(table.Find("element_type")->texts == Texts{"f32"});
  // 8000 B in 4 ns are 2000 GB/s; four devices: 2 * 3 / 4 of that on the bus.
  CHECK(table.Find("bandwidth_bytes_per_s")->reals[0] == Approx(2000));
  CHECK(table.Find("bus_bandwidth_bytes_per_s")->reals[0] == Approx(3000));
  CHECK(table.Find("exposed_us")->integers == Numbers{4000});
}

TEST_CASE("a start and its done are one call, and work between them overlaps") {
  const Report report = CollectivesOf(
      {TpuOf("/device:TPU:0",
             {{"%all-gather-start.4 = (f32[10]{0}, f32[40]{0}) all-gather-start(f32[10]{0} %x), "
               "replica_groups={{0,1,2,3}}",
               0, 100},
              {"%fusion.1 = f32[8]{0} fusion(f32[8]{0} %y)", 100, 500},
              {"%all-gather-done.9 = f32[40]{0} all-gather-done((f32[10]{0}, f32[40]{0}) "
               "%all-gather-start.4)",
               600, 200},
              {"%all-gather-done.9 = f32[40]{0} all-gather-done((f32[10]{0}, f32[40]{0}) "
               "%all-gather-start.4)",
               900, 200}})});
  const Table& table = report.tables[0];
  REQUIRE(table.rows == 1);
  CHECK(table.Find("count")->integers == Numbers{1});
  CHECK(table.Find("time_us")->integers == Numbers{800});
  CHECK(table.Find("overlapped_us")->integers == Numbers{500});
  CHECK(table.Find("exposed_us")->integers == Numbers{300});
  CHECK(table.Find("bytes")->integers == Numbers{160});
  // The second done has no start; a group of four of which one device is there is not matched.
  REQUIRE(report.notes.size() == 2);
  CHECK(report.tables[1].rows == 0);
}

TEST_CASE(
    "calls of a kernel are told apart by group and type, and their bytes are added per call") {
  const auto call = [](int64_t start_ns, int64_t ns, const std::string& group, int64_t size,
                       int64_t type, int64_t bytes) {
    TestEvent event = Nccl(start_ns, ns);
    event.details["process_group"] = group;
    event.details["group_size"] = size;
    event.details["element_type"] = type;
    event.details["collective_bytes"] = bytes;
    return event;
  };
  const Report report = CollectivesOf(
      {{.name = "/device:GPU:0",
        .lanes = {{"n",
                   {call(0, 30, "[0, 1]", 2, 1, 400), call(40, 10, "[0, 1]", 2, 1, 800),
                    call(60, 20, "[0, 2, 4, 6]", 4, 1, 100), call(90, 5, "[0, 1]", 2, 14, 8),
                    Nccl(100, 1)}}}}});
  const Table& table = report.tables[0];
  REQUIRE(table.rows == 4);  // by time: 40, 20, 5, 1 ns
  CHECK(table.Find("replica_groups")->texts == Texts{"[0, 1]", "[0, 2, 4, 6]", "[0, 1]", ""});
  CHECK(table.Find("group_size")->integers == Numbers{2, 4, 2, kNoInt});
  CHECK(table.Find("element_type")->texts == Texts{"float", "float", "bfloat16", ""});
  CHECK(table.Find("count")->integers == Numbers{2, 1, 1, 1});
  CHECK(table.Find("bytes")->integers == Numbers{1200, 100, 8, kNoInt});
  // 1200 B in 40 ns are 30 GB/s, and 2 * 1 / 2 of that on the bus; 100 B in 20 ns 5 GB/s, 2 * 3
  // / 4.
  CHECK(table.Find("bandwidth_bytes_per_s")->reals[0] == Approx(30));
  CHECK(table.Find("bus_bandwidth_bytes_per_s")->reals[0] == Approx(30));
  CHECK(table.Find("bus_bandwidth_bytes_per_s")->reals[1] == Approx(7.5));
}

TEST_CASE("without collectives the view explains how to record them") {
  const Report report =
      CollectivesOf({{.name = "/device:GPU:0", .lanes = {{"s", {TestKernel("k", 0, 5, "")}}}}});
  CHECK(report.tables[0].rows == 0);
  CHECK(report.notes.size() == 1);
}

TEST_CASE("the group of an exchange between hosts has those that ran it equally often") {
  const TestFolder folder;
  std::vector<Input> inputs;
  for (int rank = 0; rank < 3; ++rank) {
    const std::string once = R"({"ph":"X","cat":"user_annotation","name":"gloo:all_reduce",
        "pid":1,"tid":1,"ts":10,"dur":5},)";
    inputs.push_back({folder / ("rank" + std::to_string(rank) + ".json")});
    // The last one ran it twice, so it is of another group.
    WriteFile(inputs.back().path, "[" + (rank == 2 ? once : "") + once +
                                      R"({"ph":"X","cat":"cpu_op",
        "name":"aten::add_","pid":1,"tid":1,"ts":50,"dur":)" +
                                      std::to_string(rank + 1) + "}]");
  }
  Context context;
  const StorePtr store = Load(inputs, context).value();
  const Report report = Collectives(store, Indexes(store), Query(), context).value();
  Numbers sizes = report.tables[0].Find("group_size")->integers;
  std::ranges::sort(sizes);
  CHECK(sizes == Numbers{kNoInt, 2, 2});
}

TEST_CASE("hosts of two groups run an exchange equally often, but do not end it together") {
  const TestFolder folder;
  std::vector<Input> inputs;
  for (int rank = 0; rank < 4; ++rank) {
    inputs.push_back({folder / ("rank" + std::to_string(rank) + ".json")});
    WriteFile(inputs.back().path, R"([{"ph":"X","cat":"user_annotation","name":"gloo:all_reduce",
        "pid":1,"tid":1,"dur":5,"ts":)" +
                                      std::to_string(rank < 2 ? 10 : 30) +
                                      R"(},{"ph":"X","cat":"cpu_op","name":"aten::add_",
        "pid":1,"tid":1,"ts":50,"dur":)" +
                                      std::to_string(rank + 1) + "}]");
  }
  Context context;
  const StorePtr store = Load(inputs, context).value();
  const Report report = Collectives(store, Indexes(store), Query(), context).value();
  CHECK(report.tables[0].Find("group_size")->integers == Numbers(4, kNoInt));
}

}  // namespace tfprof::collectives_test
