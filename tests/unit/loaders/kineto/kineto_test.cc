// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/store/details.h"
#include "loaders/open.h"
#include "tests/support/opening.h"
#include "tests/support/source_of.h"

namespace tfprof::kineto_test {
namespace {

Result<StorePtr> OpenText(std::string_view text, bool partial = false) {
  const TestFolder folder;
  const std::string path = folder / "a.json";
  WriteFile(path, text);
  Context context;
  context.limits.partial = partial;
  return Load({{path}}, context);
}

StorePtr Opened(std::string_view text) {
  Result<StorePtr> store = OpenText(text);
  REQUIRE(store.has_value());
  REQUIRE(BrokenInvariant(**store) == "");
  return *store;
}

const Lane* LaneNamed(const Store& store, std::string_view name) {
  for (const Lane& lane : store.lanes) {
    if (store.Text(lane.name) == name) return &lane;
  }
  return nullptr;
}

std::string_view NameAt(const Store& store, uint32_t row) {
  return store.Text(store.labels[store.events.label[row].value].name);
}

int64_t CountOf(const Store& store, std::string_view note) {
  for (const Note& of : store.notes) {
    if (of.what.row->id == note) return of.count;
  }
  return 0;
}

constexpr std::string_view kGpu = R"({
  "deviceProperties": [{"id": 1, "name": "NVIDIA A100", "numSms": 108, "computeMajor": 8,
                        "computeMinor": 0}],
  "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8},
  "baseTimeNanoseconds": 1000000000000000000,
  "traceEvents": [
  {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#7", "pid": 10, "tid": 11,
   "ts": 100.000, "dur": 50},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 10, "tid": 11,
   "ts": 110.5, "dur": 2.25, "args": {"correlation": 5}},
  {"ph": "X", "cat": "kernel", "name": "k", "pid": 1, "tid": 7, "ts": 120.001, "dur": 4.002,
   "args": {"device": 1, "stream": 7, "correlation": 5, "registers per thread": 32,
            "shared memory": 1024, "grid": [2, 1, 1], "block": [128,1,1]}},
  {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 10, "tid": 11, "ts": 112,
   "args": {"Bytes": -64, "Total Allocated": 128, "Device Type": 0, "Device Id": -1}},
  {"ph": "M", "name": "process_name", "pid": 10, "args": {"name": "python"}},
  {"ph": "M", "name": "thread_name", "pid": 1, "tid": 7, "args": {"name": "stream 7 "}},
  {"ph": "s", "id": 5, "cat": "ac2g", "name": "ac2g", "pid": 10, "tid": 11, "ts": 110.5}
]})";

}  // namespace

TEST_CASE("threads, streams and instants are lanes") {
  const StorePtr store = Opened(kGpu);
  REQUIRE(store->sources[0].format == "kineto");
  CHECK(store->sources[0].rank == 3);
  CHECK(store->sources[0].world_size == 8);
  CHECK(store->Text(store->hosts[0].name) == "rank 3");
  CHECK(store->EventCount() == 4);
  REQUIRE(store->processes.size() == 2);
  CHECK(store->Text(store->processes[0].name) == "python 10");
  CHECK(store->processes[0].kind == ProcessKind::host);
  CHECK(store->Text(store->processes[1].name) == "GPU:1");
  CHECK(store->processes[1].kind == ProcessKind::device);
  REQUIRE(store->devices.size() == 1);
  CHECK(store->devices[0].ordinal == 1);
  CHECK(store->devices[0].cores == 108);
  CHECK(store->devices[0].capability_major == 8);
  CHECK(store->Text(store->devices[0].model) == "NVIDIA A100");
  const Lane* stream = LaneNamed(*store, "stream 7");
  REQUIRE(stream != nullptr);
  CHECK(stream->measures == Measures::accelerator_time);
  CHECK(stream->id == 7);
  REQUIRE(LaneNamed(*store, "11") != nullptr);
  CHECK(LaneNamed(*store, "11")->rows.count == 2);
  REQUIRE(LaneNamed(*store, "11 instants") != nullptr);
  CHECK(LaneNamed(*store, "11 instants")->role == LaneRole::instants);
}

TEST_CASE("time 0 is the first event's whole us of wall time") {
  const StorePtr store = Opened(kGpu);
  CHECK(store->epoch_ns == 1'000'000'000'000'100'000);
  const uint32_t row = LaneNamed(*store, "stream 7")->rows.first;
  CHECK(store->events.start_ps[row] == 20'001'000);
  CHECK(store->events.duration_ps[row] == 4'002'000);
}

TEST_CASE("arguments are read per key") {
  const StorePtr store = Opened(kGpu);
  Context context;
  constexpr DetailKey kKeys[] = {AttributeKey::correlation, AttributeKey::grid, AttributeKey::work,
                                 AttributeKey::registers};
  const auto columns = ReadColumns(*store, ProcessId(1), kKeys, context).value();
  const uint32_t row = LaneNamed(*store, "stream 7")->rows.first;
  CHECK(columns[0].Integer(row) == 5);
  CHECK(columns[1].Text(row) == "2,1,1");
  CHECK(columns[2].Integer(row) == static_cast<int64_t>(WorkKind::kernel));
  CHECK(columns[3].Integer(row) == 32);
  const auto details = DetailsOf(*store, EventId(row)).value();
  REQUIRE(details.size() == 7);
  CHECK(details[0].key == "device");
  // No event of the host has a grid.
  CHECK(ReadColumn(*store, ProcessId(0), AttributeKey::grid, context)->rows.count == 0);
}

TEST_CASE("freed memory is told by its sign") {
  const StorePtr store = Opened(kGpu);
  const uint32_t row = LaneNamed(*store, "11 instants")->rows.first;
  CHECK(store->labels[store->events.label[row].value].role == EventRole::deallocation);
}

TEST_CASE("a bare list without its end is whole") {
  const StorePtr store =
      Opened("[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":3,\"dur\":4},\n");
  CHECK(store->EventCount() == 1);
  CHECK(store->notes.empty());
}

TEST_CASE("a file may begin with a byte order mark, and IDs may be texts with escapes") {
  const StorePtr store = Opened(
      "\xEF\xBB\xBF"
      R"([
    {"ph":"X","name":"a","pid":"\u00e9 1","tid":"\u00e9 2","ts":3,"dur":4},
    {"ph":"M","name":"thread_name","pid":"\u00e9 1","tid":"\u00e9 2","args":{"name":"main"}}])");
  CHECK(store->Text(store->processes[0].name) == "\xC3\xA9 1");
  CHECK(store->Text(store->lanes[0].text_id) == "\xC3\xA9 2");
  CHECK(store->Text(store->lanes[0].name) == "main");
}

TEST_CASE("begins and ends are paired, also asynchronous ones") {
  const StorePtr store = Opened(R"([
    {"ph":"B","name":"outer","pid":1,"tid":2,"ts":10},
    {"ph":"B","name":"inner","pid":1,"tid":2,"ts":12},
    {"ph":"E","pid":1,"tid":2,"ts":15},
    {"ph":"E","pid":1,"tid":2,"ts":20},
    {"ph":"b","cat":"c","id":1,"name":"x","pid":1,"tid":2,"ts":11},
    {"ph":"b","cat":"c","id":2,"name":"x","pid":1,"tid":2,"ts":12},
    {"ph":"e","cat":"c","id":1,"name":"x","pid":1,"tid":2,"ts":14},
    {"ph":"E","pid":1,"tid":2,"ts":30}])");
  const Lane* thread = LaneNamed(*store, "2");
  REQUIRE(thread != nullptr);
  REQUIRE(thread->rows.count == 2);
  CHECK(NameAt(*store, thread->rows.first) == "outer");
  CHECK(store->events.duration_ps[thread->rows.first] == 10'000'000);
  CHECK(store->events.duration_ps[thread->rows.first + 1] == 3'000'000);
  const Lane* async = LaneNamed(*store, "2 async");
  REQUIRE(async != nullptr);
  CHECK(store->events.duration_ps[async->rows.first] == 3'000'000);
  CHECK(store->events.duration_ps[async->rows.first + 1] == 0);
  CHECK(CountOf(*store, "unmatched_begins") == 2);  // the last E, and the second b
}

TEST_CASE("malformed entries are skipped and counted") {
  const StorePtr store = Opened(R"([
    {"ph":"X","name":"a"b","pid":1,"tid":2,"ts":1,"dur":1},
    {"ph":"X","name":"no time","pid":1,"tid":2,"ts":NaN,"dur":1},
    {"ph":"X","name":"negative","pid":1,"tid":2,"ts":5,"dur":-1},
    {"ph":"X","name":"good\n\u00e9","pid":1,"tid":2,"ts":6,"dur":1}])");
  CHECK(store->EventCount() == 2);
  CHECK(CountOf(*store, "malformed_events") == 1);
  CHECK(CountOf(*store, "events_without_time") == 1);
  CHECK(CountOf(*store, "negative_durations") == 1);
  CHECK(NameAt(*store, 1) == "good\n\xC3\xA9");
}

TEST_CASE("a trace in which nothing ran is a trace") {
  for (const std::string_view text :
       {R"({"traceEvents": []})",
        R"([{"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}])"}) {
    const StorePtr store = Opened(text);
    CHECK(store->IsTrace());
    CHECK(store->EventCount() == 0);
    CHECK(CountOf(*store, "no_events") == 1);
  }
}

TEST_CASE("a truncated file is an error with its place, or its beginning is kept") {
  const std::string_view cut = kGpu.substr(0, kGpu.find("\"registers"));
  const Result<StorePtr> whole = OpenText(cut);
  REQUIRE_FALSE(whole.has_value());
  CHECK(whole.error().kind == ErrorKind::corrupt);
  const size_t entry = cut.find("{\"ph\": \"X\", \"cat\": \"kernel\"");
  CHECK(whole.error().where.find("byte " + std::to_string(entry)) != std::string::npos);
  const Result<StorePtr> part = OpenText(cut, true);
  REQUIRE(part.has_value());
  CHECK((*part)->EventCount() == 2);
  const Result<StorePtr> none = OpenText(cut.substr(0, cut.find("\"ph\"")), true);
  CHECK((!none.has_value() || CountOf(**none, "no_events") == 0));
}

TEST_CASE("files of several ranks are one profile on one clock") {
  const TestFolder folder;
  const auto trace = [](int rank, int64_t base_ns) {
    return "{\"distributedInfo\":{\"rank\":" + std::to_string(rank) +
           "},\"baseTimeNanoseconds\":" + std::to_string(base_ns) +
           ",\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":2,"
           "\"ts\":10,\"dur\":1}]}";
  };
  WriteFile(folder / "r0.pt.trace.json", trace(0, 1'000'000));
  WriteFile(folder / "r1.pt.trace.json", trace(1, 1'002'000));
  Context context;
  const StorePtr store = Load({{folder / "."}}, context).value();
  REQUIRE(store->sources.size() == 2);
  REQUIRE(store->hosts.size() == 2);
  CHECK(store->Text(store->hosts[1].name) == "rank 1");
  CHECK(store->events.start_ps[0] == 0);
  CHECK(store->events.start_ps[1] == 2'000'000);  // 2 us later by the base of its clock
}

TEST_CASE("a rank in which nothing ran sets no clock") {
  const TestFolder folder;
  WriteFile(folder / "r0.pt.trace.json", R"({"distributedInfo":{"rank":0},"traceEvents":[]})");
  WriteFile(
      folder / "r1.pt.trace.json",
      R"({"distributedInfo":{"rank":1},"baseTimeNanoseconds":1790857026000000000,"traceEvents":
               [{"ph":"X","name":"a","cat":"cpu_op","pid":1,"tid":2,"ts":4891362185632.5,"dur":1}]})");
  Context context;
  const StorePtr store = Load({{folder / "."}}, context).value();
  REQUIRE(store->EventCount() == 1);
  CHECK(store->events.start_ps[0] == 500'000);
  CHECK(CountOf(*store, "no_events") == 1);
  CHECK(CountOf(*store, "far_times_clamped") == 0);
}

}  // namespace tfprof::kineto_test
