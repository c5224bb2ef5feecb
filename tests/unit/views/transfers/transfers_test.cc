// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "analysis/transfers/copies.h"
#include "core/store/note_catalogue.h"
#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"

namespace tfprof::transfers_test {
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
  return DeviceCopies::Build(Indexes(store), ProcessId(0), context).value();
}

struct RunCopy {
  std::string device;
  int64_t start_us = 0;
  int64_t us = 0;
  int64_t bytes = kNoInt;
  int64_t step = 0;
};

// A TensorFlow profile with these copies to the device, and kernels.
StorePtr RunsWith(const std::vector<RunCopy>& copies, const std::vector<TestRun>& kernels) {
  StoreBuilder builder;
  builder.SetEpoch(0);
  AddTestNode({.name = "a"}, builder);
  for (const TestRun& kernel : kernels) AddTestRun(kernel, builder);
  for (const RunCopy& copy : copies) {
    const EventId event = builder.next_event();
    AddTestRun({.node = "x:MEMCPYHtoD",
                .step = copy.step,
                .device = copy.device,
                .start_us = copy.start_us,
                .us = copy.us},
               builder);
    builder.AddCopy({event, EventRole::copy_to_device, copy.bytes, builder.Name("pageable"),
                     builder.Name("device"), builder.Name("x")});
  }
  return builder.Finish().value();
}

std::vector<int64_t> Hidden(const DeviceCopies& found) {
  std::vector<int64_t> hidden;
  for (const Copy& copy : found.copies) hidden.push_back(copy.OverlappedPs());
  return hidden;
}

}  // namespace

TEST_CASE("recorded copies count, and events named like copies where no kind is recorded") {
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

TEST_CASE("a copy overlaps while any kernel runs; concurrent kernels count once") {
  const DeviceCopies found =
      CopiesOf({{"copies", {CopyOf("a", 10, 100), CopyOf("b", 50, 10), CopyOf("c", 300, 5)}},
                {"one", {Kernel(0, 30), Kernel(40, 30), Kernel(200, 10)}},
                {"two", {Kernel(20, 30), Kernel(100, 50)}}});
  // Kernels run in [0, 70), [100, 150) and [200, 210).
  REQUIRE(Hidden(found) == std::vector<int64_t>{70, 10, 0});
}

TEST_CASE("times at the limits of a number do not overflow") {
  const int64_t max = kMaxPs;
  const DeviceCopies found =
      CopiesOf({{"copies", {CopyOf("a", -max, max), CopyOf("b", max - 5, max)}},
                {"one", {Kernel(-max, 5), Kernel(max - 1, max)}}});
  REQUIRE(Hidden(found) == std::vector<int64_t>{5, 1});
}

TEST_CASE("copies are summed by device, direction and kind of memory") {
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

TEST_CASE(
    "the bandwidth of a direction is bytes over the union of its copies; the sum is reported") {
  const TestDetails recorded = {{"copy_bytes", int64_t{600}}};
  // [0, 40), twice, and [100, 110); [30, 60) does not tell its bytes.
  const StorePtr store = TraceOf(
      {{.name = "/device:GPU:0",
        .lanes = {{"a", {CopyOf("MemcpyH2D", 0, 40, recorded), CopyOf("MemcpyH2D", 30, 30)}},
                  {"b",
                   {CopyOf("MemcpyH2D", 10, 30, recorded), CopyOf("MemcpyD2H", 0, 99, recorded),
                    CopyOf("MemcpyH2D", 100, 10, recorded)}}}}});
  Context context;
  const Report report = Transfers(store, Indexes(store), {}, context).value();
  const Table& table = report.tables[0];
  REQUIRE(table.rows == 2);  // the longer busy time first
  CHECK(table.Find("busy_us")->integers == std::vector<int64_t>{99, 70});
  CHECK(table.Find("time_us")->integers == std::vector<int64_t>{99, 110});
  CHECK(table.Find("bandwidth")->reals[1] == Approx(1800.0 / 50 * 1e3));  // GB/s of bytes per ps
  CHECK(table.Find("max_time_us")->integers[1] == 40);
}

TEST_CASE("overlap of concurrent copies counts once, and is absent if not recorded") {
  const auto report_of = [](std::vector<TestLane> lanes) {
    Context context;
    const StorePtr store = TraceOf({{.name = "/device:GPU:0", .lanes = std::move(lanes)}});
    return Transfers(store, Indexes(store), {}, context).value();
  };
  // [0, 100) with one within it, [90, 150) and [200, 210); kernels in [50, 120) and [205, 300).
  const Report of_told =
      report_of({{"a", {CopyOf("MemcpyH2D", 0, 100), CopyOf("MemcpyH2D", 200, 10)}},
                 {"b", {CopyOf("MemcpyH2D", 20, 60), CopyOf("MemcpyH2D", 90, 60)}},
                 {"k", {Kernel(50, 70), Kernel(205, 95)}}});
  const Table& recorded = of_told.tables[0];
  CHECK(recorded.Find("busy_us")->integers[0] == 160);
  CHECK(recorded.Find("hidden_us")->integers[0] == 75);
  CHECK(recorded.Find("hidden_share")->reals[0] == Approx(75.0 / 160));
  const Report of_untold = report_of({{"a", {{"MemcpyH2D", 0, 100}, {"fill", 50, 100}}}});
  const Table& unrecorded = of_untold.tables[0];
  CHECK(unrecorded.Find("hidden_us")->integers[0] == kNoInt);
  CHECK(std::isnan(unrecorded.Find("hidden_share")->reals[0]));
}

TEST_CASE("without copies the view explains how to record them; an unknown step is an error") {
  const StorePtr store = TraceOf({{.name = "/device:GPU:0", .lanes = {{"s", {Kernel(0, 5)}}}}});
  Context context;
  const Indexes indexes(store);
  const Report report = Transfers(store, indexes, {}, context).value();
  REQUIRE(report.tables[0].rows == 0);
  REQUIRE(report.notes.size() == 1);
  Query query;
  query.place.step = 7;
  REQUIRE(Transfers(store, indexes, query, context).error().kind == ErrorKind::usage);
}

namespace {

constexpr const char* kToHost =
    "%copy-start.1 = (f32[256]{0:S(5)}, f32[256]{0}, u32[]{:S(2)}) copy-start(f32[256]{0} %x)";
constexpr const char* kToHostDone =
    "%copy-done.2 = f32[256]{0:S(5)} copy-done((f32[256]{0:S(5)}, f32[256]{0}) %copy-start.1)";

DeviceCopies CopiesOfTpu(const std::vector<TestEvent>& events,
                         std::map<std::string, TestDetails> of_label = {}) {
  const StorePtr store =
      TraceOf({{.name = "/device:TPU:0",
                .lanes = {{.name = "XLA Ops", .events = events, .role = LaneRole::ops},
                          {.name = "Async XLA Ops", .events = {{kToHost, 0, 5}}}},
                .device = DeviceKind::tpu,
                .of_label = std::move(of_label)}});
  Context context;
  return DeviceCopies::Build(Indexes(store), ProcessId(0), context).value();
}

}  // namespace

TEST_CASE("a copy of a TPU lasts from its start to the end of its done") {
  const DeviceCopies found = CopiesOfTpu({{kToHost, 10, 1},
                                          {"%fusion.1 = f32[4] fusion()", 20, 30},
                                          {kToHostDone, 60, 40},
                                          {kToHostDone, 200, 1},
                                          {kToHost, 300, 1},
                                          {kToHost, 400, 1}});
  REQUIRE(found.copies.size() == 1);
  const Copy& copy = found.copies[0];
  CHECK(copy.start_ps == 10);
  CHECK(copy.duration_ps == 90);
  CHECK(copy.OverlappedPs() == 30);
  CHECK(copy.direction == Direction::device_to_host);
  CHECK(copy.bytes == 1024);
  CHECK(found.texts[copy.from] == "device");
  CHECK(found.texts[copy.to] == "host");
  CHECK(found.unfinished == 2);
}

TEST_CASE("a copy of a TPU may start and end together with others") {
  const DeviceCopies found = CopiesOfTpu({{kToHostDone, 10, 0},
                                          {kToHost, 10, 0},
                                          {kToHost, 20, 0},
                                          {kToHostDone, 30, 5},
                                          {kToHost, 30, 0},
                                          {kToHostDone, 40, 2}});
  REQUIRE(found.copies.size() == 3);
  CHECK(found.copies[0].duration_ps == 0);
  CHECK(found.copies[1].duration_ps == 15);
  CHECK(found.copies[2].duration_ps == 12);
  CHECK(found.unfinished == 0);
}

TEST_CASE("infeed, outfeed and copies within a TPU are listed; unrecorded values are absent") {
  const DeviceCopies found =
      CopiesOfTpu({{"%while.1 = f32[4] while()", 0, 100},
                   {"infeed.1", 0, 10},
                   {"infeed.2", 10, 10},
                   {"%outfeed.3 = token[] outfeed(f32[8]{0} %x, token[] %t)", 20, 10},
                   {"%copy.4 = f32[8]{0:S(1)} copy(f32[8]{0} %x)", 30, 10},
                   {"copy.5", 40, 10}},
                  {{"infeed.1", {{"bytes_accessed", int64_t{77}}}},
                   {"copy.5", {{"bytes_accessed", int64_t{78}}}}});
  REQUIRE(found.copies.size() == 5);
  CHECK(found.copies[0].direction == Direction::host_to_device);
  CHECK(found.copies[0].bytes == 77);
  CHECK(found.copies[1].bytes == kNoInt);
  CHECK(found.copies[2].direction == Direction::device_to_host);
  CHECK(found.copies[2].bytes == 32);
  CHECK(found.copies[3].direction == Direction::device_to_device);
  CHECK(found.texts[found.copies[3].to] == "S(1)");
  CHECK(found.copies[4].direction == Direction::other);
  CHECK(found.copies[4].bytes == kNoInt);  // read and written: not what it moves
  for (const Copy& copy : found.copies) CHECK(copy.OverlappedPs() == 0);  // a loop computes nothing
}

TEST_CASE("copies that runs recorded are a device's transfers, each once") {
  // Kernels in [10, 40); a copy is on its stream and on the lane of copies.
  const StorePtr store =
      RunsWith({{"/gpu:0/memcpy", 20, 10, 1000},
                {"/gpu:0/memcpy", 35, 10, 3000},
                {"/gpu:0/stream:7", 20, 10, 1000},
                {"/gpu:0/stream:7", 35, 10, 3000},
                {"/gpu:1/memcpy", 50, 4, 6}},
               {{.node = "a", .device = "/gpu:0/stream:all", .start_us = 10, .us = 30}});
  Context context;
  const Report report = Transfers(store, Indexes(store), {}, context).value();
  const Table& table = report.tables[0];
  REQUIRE(table.rows == 2);
  CHECK(table.Find("device")->texts == std::vector<std::string_view>{"/gpu:0", "/gpu:1"});
  CHECK(table.Find("count")->integers == std::vector<int64_t>{2, 1});
  CHECK(table.Find("bytes")->integers == std::vector<int64_t>{4000, 6});
  CHECK(table.Find("busy_us")->integers == std::vector<int64_t>{20 * kPsPerUs, 4 * kPsPerUs});
  // [20, 30) and [35, 40); the other device recorded no kernels.
  CHECK(table.Find("overlapped_us")->integers == std::vector<int64_t>{15 * kPsPerUs, kNoInt});
  CHECK(table.Find("from")->texts[0] == "pageable");
  const Table& copies = report.tables[1];
  CHECK(copies.Find("stream")->texts[0] == "/gpu:0/stream:7");
  CHECK(copies.Find("op")->texts[0] == "x");
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].what == note::pageable_copies);
}

TEST_CASE("-device and -step select copies of runs; without kernels of its own a stream has them") {
  const StorePtr store =
      RunsWith({{"/gpu:0/memcpy", 20, 10, 1, 0},
                {"/gpu:0/memcpy", 60, 10, 2, 1},
                {"/gpu:1/stream:3", 30, 10, 4, 1}},
               {{.node = "a", .device = "/gpu:1/stream:3", .start_us = 36, .us = 8}});
  Context context;
  const Indexes indexes(store);
  Query query;
  query.place.step = 1;
  Report report = Transfers(store, indexes, query, context).value();
  CHECK(report.tables[0].Find("bytes")->integers == std::vector<int64_t>{2, 4});
  query.place.device = "gpu:1";
  report = Transfers(store, indexes, query, context).value();
  CHECK(report.tables[0].Find("bytes")->integers == std::vector<int64_t>{4});
  // The copy [30, 40) beside the kernel [36, 44).
  CHECK(report.tables[0].Find("overlapped_us")->integers == std::vector<int64_t>{4 * kPsPerUs});
  query.place.step = 2;
  CHECK(Transfers(store, indexes, query, context).error().kind == ErrorKind::usage);
}

}  // namespace tfprof::transfers_test
