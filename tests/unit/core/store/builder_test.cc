// SPDX-License-Identifier: Apache-2.0
#include "core/store/builder.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <tuple>

#include "core/store/check.h"
#include "core/store/note_catalogue.h"
#include "loaders/tensorflow/device_lane.h"

namespace tfprof::builder_test {
namespace {

struct Fact {  // an event with all that belongs to it
  std::string lane;
  int64_t step, start_ps, duration_ps, peak;
  auto operator<=>(const Fact&) const = default;
};

int64_t StepOf(const Store& store, const Lane& lane, uint32_t row) {
  StepId step;
  for (uint32_t i = 0; i < lane.step_runs.count; ++i) {
    const StepRun& run = store.step_runs[lane.step_runs.first + i];
    if (run.first_row <= row) step = run.step;
  }
  return store.steps[step.value].number;
}

std::vector<Fact> FactsOf(const Store& store) {
  std::map<uint32_t, int64_t> peak;
  for (const ExecMemory& row : store.exec_memory) peak[row.event.value] = row.peak;
  std::vector<Fact> facts;
  for (const Lane& lane : store.lanes) {
    for (uint32_t row = lane.rows.first; row < lane.rows.first + lane.rows.count; ++row) {
      facts.push_back({std::string(store.Text(lane.name)), StepOf(store, lane, row),
                       store.events.start_ps[row], store.events.duration_ps[row],
                       peak.count(row) != 0 ? peak[row] : -1});
    }
  }
  return facts;
}

}  // namespace

TEST_CASE("lanes keep their events sorted and contiguous, in any order of arrival") {
  const int spread = GENERATE(0, 3, 1000);  // of starts: all equal, nearly sorted, wild
  const int unplaced_in_10 = GENERATE(0, 2);
  std::mt19937 random(static_cast<unsigned>(spread * 10 + unplaced_in_10));
  StoreBuilder builder;
  std::vector<Fact> arrived;
  const LabelId label = builder.AddLabel(builder.Name("op"), NodeId());
  for (int block = 0; block < 40; ++block) {
    const std::string device = "/gpu:" + std::to_string(random() % 3);
    const int64_t step = random() % 5;
    builder.BeginRows(AddDeviceLane(device, builder), builder.AddStep(step));
    for (unsigned i = random() % 30; i > 0; --i) {
      int64_t start = block * 10 + (spread > 0 ? static_cast<int64_t>(random() % spread) : 0);
      if (static_cast<int>(random() % 10) < unplaced_in_10) start = kNoTime;
      const auto duration = static_cast<int64_t>(arrived.size());
      const EventId event = builder.AddEvent(start, duration, label, 0);
      Fact fact{device, step, start, duration, -1};
      if (random() % 2 == 0) {
        fact.peak = duration * 100;
        builder.AddMemory({.event = event, .peak = fact.peak});
      }
      arrived.push_back(fact);
    }
  }

  const StorePtr store = builder.Finish().value();

  REQUIRE(BrokenInvariant(*store) == "");
  std::vector<Fact> facts = FactsOf(*store);
  for (size_t i = 1; i < facts.size(); ++i) {
    if (facts[i].lane != facts[i - 1].lane) continue;
    const bool in_order =  // durations count the arrivals: equal starts stay as they came
        std::tie(facts[i - 1].start_ps, facts[i - 1].duration_ps) <
        std::tie(facts[i].start_ps, facts[i].duration_ps);
    REQUIRE(in_order);
  }
  std::sort(facts.begin(), facts.end());
  std::sort(arrived.begin(), arrived.end());
  REQUIRE((facts == arrived));
}

TEST_CASE("rows declared ascending are sorted if parts of them are not") {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    StoreBuilder builder;
    const LabelId label = builder.AddLabel(builder.Name("op"), NodeId());
    std::vector<int64_t> starts;
    builder.BeginRows(AddDeviceLane("/gpu:0", builder), builder.AddStep(0));
    for (unsigned stretch = random() % 5; stretch > 0; --stretch) {
      // Mostly behind the one before; some are not told of.
      const int64_t from = random() % 4 == 0 ? 0 : static_cast<int64_t>(starts.size());
      const size_t count = 1 + random() % 4;
      const bool recorded = random() % 3 != 0;
      const EventId first = builder.next_event();
      for (size_t i = 0; i < count; ++i) {
        const auto wild = static_cast<int64_t>(random() % 4);
        starts.push_back(from + (recorded ? static_cast<int64_t>(i) : wild));
        builder.AddEvent(starts.back(), 1, label, 0);
      }
      if (recorded) builder.RowsAscend(first, count);
    }
    const StorePtr store = builder.Finish().value();
    REQUIRE(BrokenInvariant(*store) == "");
    std::sort(starts.begin(), starts.end());
    REQUIRE(std::vector<int64_t>(store->events.start_ps.begin(), store->events.start_ps.end()) ==
            starts);
  }
}

TEST_CASE("records that are taken out and added again keep their memory and their sources") {
  StoreBuilder builder;
  const LabelId label = builder.AddLabel(builder.Name("op"), NodeId());
  const LaneId lane = AddDeviceLane("/cpu:0", builder);
  Source source;
  source.details.allocations = [](auto&&...) { return Result<void>(); };
  const SourceId first = builder.AddSource(source), second = builder.AddSource(source);
  const auto record = [&](SourceId of, int32_t count) {
    builder.BeginRows(lane, builder.AddStep(of.value));
    const EventId event = builder.AddEvent(0, 1, label);
    builder.AddMemory({.event = event, .first_output = builder.next_output(), .peak = count});
    for (int32_t i = 0; i < count; ++i) {
      builder.AddOutput({.slot = 10 * count + i});
      builder.AddAllocations(of, {.offset = static_cast<uint64_t>(count), .event = event});
    }
    return builder.TakeRecords();
  };
  const TakenRecords of_first = record(first, 2), of_second = record(second, 3);
  builder.AddRecords(of_second);
  builder.AddRecords(of_first);
  const StorePtr store = builder.Finish().value();
  REQUIRE(BrokenInvariant(*store) == "");
  for (const auto& [of, count] : {std::pair{first, 2u}, {second, 3u}}) {
    const Range places = store->sources[of.value].allocations;
    REQUIRE(places.count == count);
    for (uint32_t i = 0; i < count; ++i) {
      const AllocationPlace& place = store->allocation_places[places.first + i];
      CHECK(place.offset == count);
      CHECK(store->steps[of.value].number == of.value);
      const ExecMemory* memory =
          std::ranges::find(store->exec_memory, place.event, &ExecMemory::event);
      REQUIRE(memory != store->exec_memory.end());
      CHECK(memory->peak == count);
      CHECK(store->outputs[memory->first_output + i].slot == static_cast<int32_t>(10 * count + i));
    }
  }
}

TEST_CASE("steps are rows by number, in any order of arrival") {
  StoreBuilder builder;
  const LabelId label = builder.AddLabel(builder.Name("op"), NodeId());
  for (const int64_t step : {7, -2, 3}) {
    builder.BeginRows(AddDeviceLane("/cpu:0", builder), builder.AddStep(step));
    builder.AddEvent(step, 0, label, 0);
  }
  const StorePtr store = builder.Finish().value();
  REQUIRE(store->steps.size() == 3);
  REQUIRE(store->steps[0].number == -2);
  REQUIRE(store->steps[2].number == 7);
  REQUIRE(StepOf(*store, store->lanes[0], 2) == 7);
}

TEST_CASE("a node's lanes and types are sets in order of first mention, even thousands of them") {
  StoreBuilder builder;
  const NodeId node = builder.AddNode(builder.Name("n"), builder.Name("Op"), true);
  const NodeId other = builder.AddNode(builder.Name("m"), builder.Name("Op"), true);
  std::vector<LaneId> expected;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 3000; ++i) {
      const LaneId lane = AddDeviceLane("/device:" + std::to_string(2999 - i), builder);
      if (round == 0) expected.push_back(lane);
      builder.AddNodeLane(node, lane);
      if (i % 1000 == 0) builder.AddNodeLane(other, lane);
    }
  }
  builder.AddType(node, builder.Name("b"));
  builder.AddType(node, builder.Name("a"));
  builder.AddType(node, builder.Name("b"));

  const StorePtr store = builder.Finish().value();

  const Node& row = store->nodes[node.value];
  const auto lanes = store->node_lanes.Rows(row.lanes.first, row.lanes.count);
  REQUIRE(std::vector<LaneId>(lanes.begin(), lanes.end()) == expected);
  REQUIRE(store->nodes[other.value].lanes.count == 3);
  REQUIRE(row.types.count == 2);
  REQUIRE(store->Text(store->node_types[row.types.first]) == "b");
}

TEST_CASE("device texts are one lane regardless of case; their form determines role and measure") {
  StoreBuilder builder;
  const LaneId gpu = AddDeviceLane("/job:w/device:GPU:0", builder);
  REQUIRE(AddDeviceLane("/job:w/device:gpu:0", builder) == gpu);
  AddDeviceLane("/device:GPU:0/stream:all", builder);
  AddDeviceLane("/device:GPU:0/stream:12", builder);
  AddDeviceLane("/device:GPU:0/memcpy", builder);
  const StorePtr store = builder.Finish().value();
  REQUIRE(store->lanes.size() == 4);
  REQUIRE(store->Text(store->lanes[0].name) == "/job:w/device:gpu:0");
  REQUIRE(store->Text(store->lanes[0].display) == "/job:w/device:GPU:0");
  REQUIRE(store->lanes[0].measures == Measures::host_time);
  REQUIRE(store->lanes[1].measures == Measures::accelerator_time);
  REQUIRE(store->lanes[2].measures == Measures::nothing);
  REQUIRE(store->lanes[3].role == LaneRole::copies);
}

TEST_CASE("out-of-range times are clamped and noted, others are exact to the picosecond") {
  StoreBuilder builder;
  builder.SetEpoch(1'500'000'000'000'000'000);
  REQUIRE(builder.TimeFromMicros(1'500'000'000'000'003) == 3 * kPsPerUs);
  REQUIRE(builder.TimeFromMicros(1'499'999'999'999'999) == -kPsPerUs);
  REQUIRE(builder.TimeFromMicros(std::numeric_limits<int64_t>::max()) == kMaxPs);
  REQUIRE(builder.TimeFromMicros(std::numeric_limits<int64_t>::min()) == kMinPs);
  REQUIRE(builder.DurationFromMicros(-5) == 0);
  REQUIRE(builder.DurationFromMicros(std::numeric_limits<int64_t>::max()) == kMaxPs);
  const StorePtr store = builder.Finish().value();
  REQUIRE(store->notes.size() == 3);
  REQUIRE(store->notes[0].count == 2);
}

TEST_CASE("notes of one kind are counted, with the first place and the summed cost") {
  StoreBuilder builder;
  builder.AddNote(note::malformed_records, "a.pb: byte 10", 5);
  builder.AddNote(note::malformed_records, "a.pb: byte 20", 7);
  builder.AddNote(note::damaged_file, "");
  const StorePtr store = builder.Finish().value();
  REQUIRE(store->notes.size() == 2);
  REQUIRE(store->notes[0].count == 2);
  REQUIRE(store->notes[0].first_place == "a.pb: byte 10");
  REQUIRE(store->notes[0].cost_ps == 12);
  REQUIRE(store->notes[1].cost_ps == kNoInt);
}

TEST_CASE("data formats ascend by node, and the first one of a node counts") {
  StoreBuilder builder;
  const NodeId a = builder.AddNode(builder.Name("a"), builder.Name("Op"), true);
  const NodeId b = builder.AddNode(builder.Name("b"), builder.Name("Op"), true);
  builder.AddDataFormat(b, builder.Name("NCHW"));
  builder.AddDataFormat(a, builder.Name("NHWC"));
  builder.AddDataFormat(b, builder.Name("NDHWC"));
  const StorePtr store = builder.Finish().value();
  REQUIRE(store->data_formats.size() == 2);
  CHECK(store->data_formats[0].node == a);
  CHECK(store->Text(store->data_formats[0].format) == "NHWC");
  CHECK(store->Text(store->data_formats[1].format) == "NCHW");
  CHECK(BrokenInvariant(*store) == "");
}

TEST_CASE("any table with more rows than row numbers is refused") {
  constexpr size_t kTooMany = kMaxRows + 1;  // reserved, never written
  const auto fits = [](auto make) {
    Store store;
    make(store);
    return RowsFit(store);
  };
  REQUIRE(fits([](Store&) {}));
  REQUIRE(fits([](Store& store) { store.labels.Extend(kMaxRows); }));
  REQUIRE(!fits([](Store& store) { store.labels.Extend(kTooMany); }));
  REQUIRE(!fits([](Store& store) { store.stacks.Extend(kTooMany); }));
  REQUIRE(!fits([](Store& store) { store.output_shapes.Extend(kTooMany); }));
  REQUIRE(!fits([](Store& store) { store.node_types.Extend(kTooMany); }));
  REQUIRE(!fits([](Store& store) { store.node_lanes.Extend(kTooMany); }));
}

TEST_CASE("an impossible reservation is ignored") {
  StoreBuilder builder;
  builder.ReserveNodes(1);
  const NameId name = builder.Name("a");
  builder.AddLabel(name, builder.AddNode(name, name, true));
  REQUIRE_NOTHROW(builder.ReserveInProportion(1, size_t{1} << 50));
  const NameId other = builder.Name("b");
  builder.AddLabel(other, builder.AddNode(other, other, true));
  const StorePtr store = builder.Finish().value();
  REQUIRE(store->nodes.size() == 2);
  REQUIRE(store->Text(store->nodes[1].name) == "b");
}

}  // namespace tfprof::builder_test
