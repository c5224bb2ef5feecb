// SPDX-License-Identifier: Apache-2.0
#include "views/transfers.h"

#include <catch2/catch.hpp>

#include "tests/unit/trace_of.h"
#include "views/transfers/copies.h"

namespace tfprof {
namespace {

TestEvent Kernel(int64_t start_ps, int64_t ps) {
  return {"kernel", start_ps, ps, {{"work", int64_t{static_cast<int64_t>(WorkKind::kernel)}}}};
}

TestEvent CopyOf(const std::string& name, int64_t start_ps, int64_t ps, TestDetails details = {}) {
  details["work"] = static_cast<int64_t>(WorkKind::copy);
  return {name, start_ps, ps, details};
}

DeviceCopies CopiesOf(const std::vector<TestLane>& lanes) {
  const StorePtr store = TraceOf({{.name = "/device:GPU:0", .lanes = lanes}});
  Context context;
  return FindCopies(*store, Indexes(store), ProcessId(0), context).value();
}

std::vector<int64_t> Hidden(const DeviceCopies& found) {
  std::vector<int64_t> hidden;
  for (const Copy& copy : found.copies) hidden.push_back(copy.hidden_ps);
  return hidden;
}

}  // namespace

TEST_CASE("directions by the names of all recorders") {
  REQUIRE(DirectionOf("MEMCPYHtoD") == Direction::host_to_device);
  REQUIRE(DirectionOf("MemcpyD2H") == Direction::device_to_host);
  REQUIRE(DirectionOf("MemcpyP2P") == Direction::peer);
  REQUIRE(DirectionOf("CopyDeviceToDevice") == Direction::device_to_device);
  REQUIRE(DirectionOf("memcpyH2H") == Direction::host_to_host);
  REQUIRE(DirectionOf("copy_kernel") == Direction::other);
}

TEST_CASE("what says that it is a copy is one, and what has the name where nothing is said") {
  const DeviceCopies found =
      CopiesOf({{"stream",
                 {Kernel(0, 5),
                  CopyOf("mine", 10, 5),
                  {"MemcpyH2D", 20, 5},
                  {"unknown", 30, 5},
                  {"MemcpyD2H", kNoTime, 5}}},
                {"Steps", {CopyOf("MemcpyH2D", 0, 50)}, LaneRole::other, true}});
  REQUIRE(found.copies.size() == 2);
  REQUIRE(found.copies[0].direction == Direction::other);
  REQUIRE(found.copies[1].direction == Direction::host_to_device);
  REQUIRE(found.copies[1].bytes == kNoInt);
}

TEST_CASE("a copy is hidden while any kernel runs, several at once count once") {
  const DeviceCopies found =
      CopiesOf({{"copies", {CopyOf("a", 10, 100), CopyOf("b", 50, 10), CopyOf("c", 300, 5)}},
                {"one", {Kernel(0, 30), Kernel(40, 30), Kernel(200, 10)}},
                {"two", {Kernel(20, 30), Kernel(100, 50)}}});
  // Kernels run in [0, 70), [100, 150) and [200, 210).
  REQUIRE(Hidden(found) == std::vector<int64_t>{70, 10, 0});
}

TEST_CASE("times at the ends of what a number can hold do not overflow") {
  const int64_t most = kMaxPs;
  const DeviceCopies found =
      CopiesOf({{"copies", {CopyOf("a", -most, most), CopyOf("b", most - 5, most)}},
                {"one", {Kernel(-most, 5), Kernel(most - 1, most)}}});
  REQUIRE(Hidden(found) == std::vector<int64_t>{5, 1});
}

TEST_CASE("copies are added up by device, direction and kind of memory") {
  const TestDetails pinned = {{"copy_bytes", int64_t{1000}}, {"copy_from", "pinned"}};
  const TestDetails pageable = {{"copy_bytes", int64_t{500}}, {"copy_from", "pageable"}};
  const StorePtr store =
      TraceOf({{.name = "/device:GPU:0",
                .lanes = {{"s",
                           {CopyOf("MemcpyH2D", 0, 10, pinned), CopyOf("MemcpyH2D", 20, 30, pinned),
                            CopyOf("MemcpyH2D", 60, 5, pageable), CopyOf("MemcpyH2D", 80, 7)}}}}});
  Context context;
  const Report report = Transfers(store, Indexes(store), {}, context).value();
  const Table& table = report.tables[0];
  REQUIRE(table.rows == 3);
  REQUIRE(table.Find("copies")->integers == std::vector<int64_t>{2, 1, 1});
  REQUIRE(table.Find("bytes")->integers == std::vector<int64_t>{2000, kNoInt, 500});
  REQUIRE(table.Find("bandwidth")->reals[0] == Approx(50'000));  // 2000 bytes in 40 ps
  REQUIRE(table.Find("from")->texts[1].data() == nullptr);
  REQUIRE(report.tables[1].Find("time_us")->integers == std::vector<int64_t>{30, 10, 7, 5});
  REQUIRE(report.notes.size() == 1);  // pageable
  REQUIRE(report.notes[0].cost_ps == 5);
}

TEST_CASE("without copies the view says how to record them; no such step is an error") {
  const StorePtr store = TraceOf({{.name = "/device:GPU:0", .lanes = {{"s", {Kernel(0, 5)}}}}});
  Context context;
  const Indexes indexes(store);
  const Report report = Transfers(store, indexes, {}, context).value();
  REQUIRE(report.tables[0].rows == 0);
  REQUIRE(report.notes.size() == 1);
  Query query;
  query.step = 7;
  REQUIRE(Transfers(store, indexes, query, context).error().kind == ErrorKind::usage);
}

}  // namespace tfprof
