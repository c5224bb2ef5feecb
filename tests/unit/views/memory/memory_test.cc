// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "analysis/memory/element_type.h"
#include "analysis/memory/peak.h"
#include "loaders/open.h"
#include "tests/support/source_of.h"
#include "tests/support/trace_of.h"

namespace tfprof::memory_test {
namespace {

TestEvent Give(int64_t at_ps, int64_t address, int64_t bytes, int64_t in_use,
               TestDetails more = {}) {
  TestDetails details = {{"allocator", "gpu"},
                         {"address", address},
                         {"allocation_bytes", bytes},
                         {"requested_bytes", bytes},
                         {"bytes_in_use", in_use}};
  more.merge(details);
  return {"MemoryAllocation", at_ps, 0, more};
}

TestEvent Free(int64_t at_ps, int64_t address, int64_t in_use, TestDetails more = {}) {
  TestEvent event = Give(at_ps, address, 0, in_use, more);
  event.name = "MemoryDeallocation";
  event.details.erase("allocation_bytes");
  return event;
}

MemoryEvents EventsOf(const std::vector<TestLane>& lanes) {
  Context context;
  return MemoryEvents::Build(*TraceOf({{.lanes = lanes}}), context).value();
}

// "op bytes x times" of each.
std::vector<std::string> DisplayName(const std::vector<Holder>& holders) {
  std::vector<std::string> recorded;
  for (const Holder& h : holders) {
    recorded.push_back(std::string(h.op) + " " + std::to_string(h.bytes) + " x " +
                       std::to_string(h.occurrences));
  }
  return recorded;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("memory events of all threads are ordered by time") {
  const MemoryEvents memory = EventsOf({{"a", {Give(10, 1, 5, 5), Free(40, 2, 5)}},
                                        {"b", {Give(20, 2, 7, 12), Give(30, 3, 1, 13)}}});
  REQUIRE(memory.allocators.size() == 1);
  std::vector<int64_t> times;
  for (const MemoryEvent& event : memory.events) times.push_back(event.time_ps);
  REQUIRE(times == std::vector<int64_t>{10, 20, 30, 40});
  REQUIRE(memory.events[3].partner == 1);
  REQUIRE(memory.events[1].partner == 3);
  REQUIRE(memory.events[0].partner == kNoMemoryEvent);
}

TEST_CASE("a free has the size, the operation and the type of its allocation") {
  const MemoryEvents memory = EventsOf(
      {{"a", {Give(10, 1, 5, 5, {{"op", "mul"}, {"element_type", int64_t{19}}}), Free(20, 1, 0)}}});
  const MemoryEvent& free = memory.events[1];
  REQUIRE(free.frees);
  REQUIRE(free.bytes == 5);
  REQUIRE(memory.Text(free.op) == "mul");
  REQUIRE(ElementTypeName(free.element_type) == "half");
}

TEST_CASE("(null) and empty texts are not names; xprof's columns have a text all the same") {
  const StorePtr store = TraceOf({{.lanes = {{"a",
                                              {Give(10, 1, 5, 5,
                                                    {{"op", "(null)"},
                                                     {"region", "(null)"},
                                                     {"shape", ""},
                                                     {"element_type", int64_t{0}}})}}}}});
  Context context;
  const Report report = Memory(store, Indexes(store), {}, context).value();
  const Table &active = report.tables[1], &timeline = report.tables[2];
  const auto is_recorded = [](const Table& table, std::string_view id) {
    return table.Find(id)->texts.at(0).data() != nullptr;
  };
  for (const char* id : {"operation", "region", "element_type", "shape"}) {
    CHECK_FALSE(is_recorded(active, id));
    CHECK(active.Find(id)->spec.human_readable);
  }
  for (const char* id : {"tf_op_name", "region_type", "data_type", "tensor_shape"}) {
    CHECK(is_recorded(active, id));
    CHECK_FALSE(active.Find(id)->spec.human_readable);
    CHECK_FALSE(is_recorded(timeline, id));
  }
  CHECK(active.Find("tf_op_name")->texts[0].empty());
}

TEST_CASE("a reused address belongs to its last allocation") {
  const MemoryEvents memory =
      EventsOf({{"a", {Give(10, 1, 5, 5), Give(20, 1, 6, 11), Free(30, 1, 5), Free(40, 1, 0)}}});
  REQUIRE(memory.events[2].partner == 1);
  REQUIRE(memory.events[3].partner == kNoMemoryEvent);
}

TEST_CASE("an allocator without a name has its number; without both it has no name") {
  const MemoryEvents memory =
      EventsOf({{"a",
                 {Give(10, 1, 5, 5, {{"allocator", int64_t{3}}}),
                  {"MemoryAllocation", 20, 0, {{"bytes_in_use", int64_t{1}}}}}}});
  REQUIRE(memory.allocators.size() == 2);
  REQUIRE(memory.Text(memory.allocators[0].name) == "");
  REQUIRE(memory.Text(memory.allocators[1].name) == "3");
}

TEST_CASE("the peak is the last moment of max use, reserved bytes included") {
  const MemoryEvents memory =
      EventsOf({{"a",
                 {Give(10, 1, 9, 9), Give(20, 2, 1, 5, {{"bytes_reserved", int64_t{5}}}),
                  Give(30, 3, 1, 10, {{"bytes_reserved", int64_t{0}}}), Free(40, 3, 9)}}});
  REQUIRE(PeakOf(memory, memory.allocators[0]) == 2);
}

TEST_CASE("at the peak, the step's own allocations are listed and the rest is one row") {
  const TestDetails step0 = {{"group", int64_t{0}}, {"op", "old"}};
  const TestDetails step1 = {{"group", int64_t{1}}, {"op", "new"}};
  const MemoryEvents memory = EventsOf(
      {{"a",
        {Give(10, 1, 30, 100, step0), Give(20, 2, 4, 104, step1), Give(30, 3, 4, 108, step1),
         Give(40, 4, 2, 110, step1), Free(50, 4, 108, step1), Free(60, 1, 78, step1),
         Give(70, 5, 60, 138, step1), Give(80, 6, 90, 20, step1)}}});
  const Allocator& gpu = memory.allocators[0];
  const uint32_t peak = PeakOf(memory, gpu);
  REQUIRE(peak == 6);
  // 138 less what the step holds; the free of what it did not allocate changes nothing.
  REQUIRE(DisplayName(HoldersAfter(memory, gpu, peak)) ==
          Texts{"unused preallocated device memory 70 x 1", "new 60 x 1", "new 4 x 2"});
  const std::vector<Holder> holders = HoldersAfter(memory, gpu, peak);
  CHECK(holders[0].Name() == "allocated before the step");  // as advise calls it
  CHECK(holders[1].Name() == "new");
}

TEST_CASE("an event without a step is in the one after the last recorded step") {
  const TestDetails step0 = {{"group", int64_t{0}}, {"op", "first"}};
  const TestDetails none = {{"op", "between"}};
  const MemoryEvents memory = EventsOf(
      {{"a", {Give(10, 1, 1, 1, step0), Give(20, 2, 2, 3, none), Give(30, 3, 3, 6, none)}}});
  const Allocator& gpu = memory.allocators[0];
  REQUIRE(DisplayName(HoldersAfter(memory, gpu, PeakOf(memory, gpu))) ==
          Texts{"between 3 x 1", "between 2 x 1", "unused preallocated device memory 1 x 1"});
}

TEST_CASE("unrecorded numbers are absent, and events without a time are omitted") {
  const MemoryEvents memory =
      EventsOf({{"a", {{"MemoryAllocation", kNoTime, 0, {}}, {"MemoryAllocation", 5, 0, {}}}}});
  REQUIRE(memory.unplaced == 1);
  REQUIRE(memory.events.size() == 1);
  REQUIRE(memory.events[0].InUseBytes() == kNoInt);
  REQUIRE(PeakOf(memory, memory.allocators[0]) == kNoMemoryEvent);
}

TEST_CASE("-host and the name select allocators; one without a peak has a row") {
  const StorePtr store =
      TraceOf({{.lanes = {{"a", {Give(10, 1, 5, 5)}}}, .host = "h1"},
               {.lanes = {{"a", {{"MemoryAllocation", 5, 0, {}}}}}, .host = "h2"}});
  const Indexes indexes(store);
  Context context;
  Query query;
  const Report all = Memory(store, indexes, query, context).value();
  REQUIRE(all.tables[0].rows == 2);
  REQUIRE(all.tables[0].Find("peak_bytes_in_use")->integers == std::vector<int64_t>{5, kNoInt});
  REQUIRE(all.tables[2].rows == 2);
  query.place.host = "H2";
  REQUIRE(Memory(store, indexes, query, context).value().tables[0].rows == 1);
  query.place.device = "GPU";
  REQUIRE(Memory(store, indexes, query, context).value().tables[0].rows == 0);
}

TEST_CASE("-device selects allocators by their name, or by their device") {
  const auto give = [](const char* allocator) {
    TestEvent event = Give(1, 1, 5, 5);
    event.details["allocator"] = allocator;
    return event;
  };
  const StorePtr store = TraceOf(
      {{.lanes = {
            {"a", {give("GPU_1_bfc"), give("GPU_10_bfc"), give("gpu_host_bfc"), give("3")}}}}});
  const Indexes indexes(store);
  const auto found = [&](const char* device) -> size_t {
    Context context;
    Query query;
    query.place.device = device;
    const auto report = Memory(store, indexes, query, context);
    return report ? report->tables[0].rows : 0;
  };
  CHECK(found("") == 4);
  CHECK(found("gpu_1") == 1);  // a number at the end is a whole one
  CHECK(found("gpu_") == 3);
  CHECK(found("GPU:1") == 1);
  CHECK(found("/device:gpu:10") == 1);
  CHECK(found("worker-0 /device:GPU:1") == 1);
  CHECK(found("TPU:3") == 1);
  CHECK(found("GPU:2") == 0);
  CHECK(found("host:CPU") == 0);
  CHECK(found(":") == 0);
}

TEST_CASE("-step selects the events of a step, and the peak among them") {
  const StorePtr store = TraceOf({{.lanes = {{"a",
                                              {Give(10, 1, 5, 5, {{"group", int64_t{0}}}),
                                               Give(20, 2, 9, 14, {{"group", int64_t{1}}}),
                                               Free(30, 2, 5, {{"group", int64_t{0}}})}}}}});
  const Indexes indexes(store);
  Context context;
  Query query;
  query.place.step = 0;
  const Report report = Memory(store, indexes, query, context).value();
  REQUIRE(report.tables[0].Find("peak_bytes_in_use")->integers == std::vector<int64_t>{5});
  REQUIRE(report.tables[2].rows == 2);
  query.place.step = 5;
  REQUIRE(Memory(store, indexes, query, context).error().kind == ErrorKind::usage);
}

TEST_CASE("curves show memory in use over time, the largest peaks first") {
  const TestDetails small = {{"allocator", "small\x01"}};
  const StorePtr store =
      TraceOf({{.lanes = {{"a",
                           {Give(0, 1, 5, 5), Give(0, 7, 1, 1, small), Give(10, 2, 90, 95),
                            Free(11, 2, 5), Give(60, 3, 1, 6), Give(60, 8, 1, 2, small)}}}}});
  Context context;
  const Report report = Memory(store, Indexes(store), {}, context).value();
  REQUIRE(report.charts.size() == 2);
  REQUIRE(report.charts[0].title == "in use of gpu");
  REQUIRE(report.charts[1].title == "in use of small?");
  const std::vector<int64_t>& values = report.charts[0].values;
  REQUIRE(values.size() == 60);
  REQUIRE(values[0] == 5);
  REQUIRE(values[9] == 5);
  REQUIRE(values[10] == 95);
  REQUIRE(values[11] == 95);  // until it was freed, in this part
  REQUIRE(values[12] == 5);
  REQUIRE(values[59] == 6);
}

TEST_CASE("element types have names") {
  REQUIRE(ElementTypeName(1) == "float");
  REQUIRE(ElementTypeName(101) == "float");
  REQUIRE(ElementTypeName(0) == "INVALID");
  REQUIRE(ElementTypeName(-1) == "");
  REQUIRE(ElementTypeName(1'000'000) == "");
}

}  // namespace tfprof::memory_test

namespace tfprof::memory_test {

TEST_CASE("memory -at times: what was in use at most in each sixtieth of the time") {
  const auto give = [](int64_t at_ps, int64_t heap, int64_t reserved, int64_t free,
                       double fragmentation) {
    return Give(at_ps, at_ps, 1, heap,
                {{"bytes_reserved", reserved},
                 {"bytes_available", free},
                 {"fragmentation", fragmentation}});
  };
  // Over 600 ps, 10 ps each: the second event is in the first part, the fourth in the last.
  const StorePtr store =
      TraceOf({{.lanes = {{"a",
                           {give(100, 50, 5, 45, 0.25), give(105, 20, 5, 75, 0.5),
                            give(400, 90, 5, 5, 1), give(700, 10, 5, 85, 0)}}}}});
  Query query;
  query.programs.at = "times";
  Context context;
  const Report report = Memory(store, Indexes(store), query, context).value();
  REQUIRE(report.tables.size() == 1);
  const Table& table = report.tables[0];
  REQUIRE(table.rows == 60);
  CHECK(table.Find("start_us")->integers[0] == 0);
  CHECK(table.Find("start_us")->integers[30] == 300);
  CHECK(table.Find("in_use_bytes")->integers[0] == 55);
  CHECK(table.Find("in_use_bytes")->integers[1] == 25);  // since the second event
  CHECK(table.Find("in_use_bytes")->integers[29] == 25);
  CHECK(table.Find("in_use_bytes")->integers[30] == 95);
  CHECK(table.Find("heap_bytes")->integers[30] == 90);
  CHECK(table.Find("reserved_bytes")->integers[30] == 5);
  CHECK(table.Find("free_bytes")->integers[30] == 5);
  CHECK(table.Find("fragmentation_pct")->reals[30] == 1);
  CHECK(table.Find("fragmentation_pct")->reals[0] == 0.25);
  CHECK(table.Find("in_use_bytes")->integers[59] == 95);  // until the last event
  CHECK(std::ranges::count(table.Find("is_peak")->integers, 1) == 1);
  CHECK(table.Find("is_peak")->integers[30] == 1);
  REQUIRE(report.charts.size() == 2);
  CHECK(report.charts[0].values[30] == 95);
  CHECK(report.charts[1].title == "fragmentation of gpu");
  CHECK(report.charts[1].values[1] == 50);
}

TEST_CASE("memory -at TIME: what was in use and allocated after the last event until then") {
  const auto give = [](int64_t at_ps, int64_t address, int64_t heap, const char* op) {
    return Give(at_ps, address, 10, heap, {{"op", op}, {"bytes_reserved", int64_t{5}}});
  };
  TestEvent late = Give(90, 9, 1, 1);
  late.details["allocator"] = "later";
  const StorePtr store =
      TraceOf({{.lanes = {{"a",
                           {give(10, 1, 110, "first"), give(20, 2, 120, "second"), Free(30, 1, 110),
                            give(40, 3, 120, "third"), give(50, 4, 130, "last"), late}}}}});
  Query query;
  Context context;
  const auto at = [&](int64_t time_ps) {
    query.programs.at_ps = time_ps;  // from the first event on
    return Memory(store, Indexes(store), query, context).value();
  };
  const Report report = at(25);
  REQUIRE(report.tables.size() == 2);
  const Table &moment = report.tables[0], &held = report.tables[1];
  CHECK(moment.title == "in use at 25 ps");
  CHECK(held.title == "held at 25 ps");
  const auto all = [](const Table& table, std::string_view id) { return table.Find(id)->integers; };
  CHECK(all(moment, "in_use_bytes") == std::vector<int64_t>{110, kNoInt});
  CHECK(all(moment, "since_us") == std::vector<int64_t>{20, kNoInt});
  CHECK(moment.Find("peak_pct")->reals[0] == 110.0 / 135);
  CHECK(held.Find("op")->texts ==
        std::vector<std::string_view>{"allocated before the step", "second"});
  CHECK(all(held, "total_bytes") == std::vector<int64_t>{100, 10});
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].count == 1);                  // the allocator that begins later
  CHECK(all(at(20).tables[0], "since_us")[0] == 20);  // an event at that very time counts
  CHECK(all(at(19).tables[0], "since_us")[0] == 10);
  CHECK(all(at(1'000'000).tables[0], "in_use_bytes") == std::vector<int64_t>{135, 1});
  CHECK(at(1'000'000).notes.empty());
}

TEST_CASE("the memory of a device is no capacity of the host's allocator") {
  const TestFolder folder;
  WriteFile(folder / "trace.json", R"({"deviceProperties":[{"id":0,"totalGlobalMem":4096}],
    "traceEvents":[
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1,"args":{"device":0}},
    {"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":9,"tid":1,"ts":5,
     "args":{"Addr":1,"Bytes":512,"Total Allocated":512,"Device Type":1,"Device Id":0}},
    {"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":9,"tid":1,"ts":6,
     "args":{"Addr":2,"Bytes":64,"Total Allocated":64,"Device Type":0,"Device Id":0}},
    {"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":9,"tid":1,"ts":7,
     "args":{"Addr":3,"Bytes":32,"Total Allocated":32,"Device Type":12,"Device Id":0}}]})");
  Context context;
  const StorePtr store = Load({{folder / "trace.json"}}, context).value();
  const Report report = Memory(store, Indexes(store), {}, context).value();
  const Table& table = report.tables.at(0);
  const auto capacity = [&](std::string_view allocator) {
    const auto& names = table.Find("allocator")->texts;
    const auto row = static_cast<size_t>(std::ranges::find(names, allocator) - names.begin());
    REQUIRE(row < names.size());
    return table.Find("capacity_bytes")->integers[row];
  };
  CHECK(capacity("CUDA:0") == 4096);
  CHECK(capacity("CPU:0") == kNoInt);
  CHECK(capacity("12:0") == 4096);  // accelerators of other kinds
}

}  // namespace tfprof::memory_test
