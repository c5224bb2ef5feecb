// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/timeline.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "loaders/tensorflow/device_lane.h"
#include "tests/support/store_of.h"

namespace tfprof::timeline_test {
namespace {

using Lines = std::vector<std::string>;

template <class T>
std::vector<T> All(const Cursor<T>& cursor) {
  std::vector<T> all, block(3);  // small: blocks end everywhere
  while (const size_t count = cursor(block)) {
    all.insert(all.end(), block.begin(), block.begin() + static_cast<ptrdiff_t>(count));
  }
  return all;
}

Trace TraceOf(const StorePtr& store, const Query& query = {}) {
  Context context;
  return Timeline(store, Indexes(store), query, context).value();
}

std::string Place(const Trace& trace, uint32_t track, uint32_t level) {
  const TraceTrack& at = trace.tracks[track];
  return trace.groups[at.group].name + "|" + at.name + "|" + std::to_string(level);
}

// "group|track|level: name start+duration", in us.
Lines Spans(const Trace& trace) {
  Lines lines;
  for (const TraceSpan& span : All(trace.spans)) {
    lines.push_back(fmt::format("{}: {} {}+{}", Place(trace, span.track, span.level), span.name,
                                span.start_ps / kPsPerUs, span.duration_ps / kPsPerUs));
  }
  return lines;
}

Lines Arrows(const Trace& trace) {
  Lines lines;
  for (const TraceFlow& flow : All(trace.flows)) {
    lines.push_back(fmt::format("{}: {} {} -> {} {}", flow.name,
                                Place(trace, flow.from_track, flow.from_level),
                                flow.from_ps / kPsPerNs, Place(trace, flow.to_track, flow.to_level),
                                flow.to_ps / kPsPerNs));
  }
  return lines;
}

Lines Samples(const Trace& trace) {
  Lines lines;
  for (const TraceSample& sample : All(trace.samples)) {
    const TraceCounter& counter = trace.counters[sample.counter];
    lines.push_back(fmt::format("{}|{}: {} at {}", trace.groups[counter.group].name, counter.name,
                                sample.value, sample.time_ps / kPsPerUs));
  }
  return lines;
}

}  // namespace

TEST_CASE(
    "timeline: all executions are exported, overlapping ones on levels, equal starts included") {
  const StorePtr store = StoreOf({{.name = "a"}, {.name = "b"}, {.name = "c"}},
                                 {{.node = "a", .start_us = 10, .us = 5},
                                  {.node = "b", .start_us = 10, .us = 9},
                                  {.node = "c", .start_us = 15, .us = 1},
                                  {.node = "a", .step = 1, .start_us = 30, .us = 2}});
  CHECK(Spans(TraceOf(store)) ==
        Lines{"steps|steps|0: step 0 10+9", "steps|steps|0: step 1 30+2",
              "/device:cpu:0|executor|0: b 10+9", "/device:cpu:0|executor|1: a 10+5",
              "/device:cpu:0|executor|1: c 15+1", "/device:cpu:0|executor|0: a 30+2"});
}

TEST_CASE("timeline: step, name, type, duration and device filter rows") {
  const StorePtr store =
      StoreOf({{.name = "a", .type = "MatMul"}, {.name = "b"}},
              {{.node = "a", .start_us = 10, .us = 5},
               {.node = "b", .start_us = 20, .us = 50},
               {.node = "a", .step = 1, .device = "/device:cpu:1", .start_us = 90, .us = 7}});
  const auto count = [&](auto set) {
    Query query;
    set(query);
    size_t executions = 0;
    for (const TraceSpan& span : All(TraceOf(store, query).spans)) executions += span.event.some();
    return executions;
  };
  CHECK(count([](Query&) {}) == 3);
  CHECK(count([](Query& query) { query.place.step = 1; }) == 1);
  CHECK(count([](Query& query) { query.tree.show_name_regexes = PatternList({"a"}); }) == 2);
  CHECK(count([](Query& query) { query.tree.hide_name_regexes = PatternList({"a"}); }) == 1);
  CHECK(count([](Query& query) { query.nodes.account_type_regexes = PatternList({"MatMul"}); }) ==
        2);
  CHECK(count([](Query& query) { query.tree.min_micros = 7; }) == 2);
  CHECK(count([](Query& query) { query.place.device = "CPU:1"; }) == 1);
}

TEST_CASE("timeline: streams are below the device that they name, devices by number") {
  const StorePtr store =
      StoreOf({{.name = "a"}}, {{.node = "a", .device = "/device:GPU:0/stream:12", .start_us = 9},
                                {.node = "a", .device = "/job:x/device:GPU:10", .start_us = 5},
                                {.node = "a", .device = "/job:x/device:GPU:0", .start_us = 5},
                                {.node = "a", .device = "/device:GPU:0/stream:all", .start_us = 9},
                                {.node = "a", .device = "/job:x/device:GPU:2", .start_us = 5}});
  const Trace trace = TraceOf(store);
  Lines tracks;
  for (uint32_t i = 1; i < trace.tracks.size(); ++i) tracks.push_back(Place(trace, i, 0));
  CHECK(tracks == Lines{"/job:x/device:GPU:0|executor|0", "/job:x/device:GPU:0|stream:all|0",
                        "/job:x/device:GPU:0|stream:12|0", "/job:x/device:GPU:2|executor|0",
                        "/job:x/device:GPU:10|executor|0"});
}

TEST_CASE("timeline: each input is one flow") {
  const StorePtr store =
      StoreOf({{.name = "a"},
               {.name = "b"},
               {.name = "far"},
               {.name = "c", .inputs = {"b", "a", "far", "a"}}},
              {{.node = "a", .start_us = 10, .us = 5},
               {.node = "b", .start_us = 10, .us = 3},
               {.node = "far", .device = "/device:cpu:1", .start_us = 10, .us = 1},
               {.node = "c", .start_us = 20, .us = 1},
               {.node = "c", .step = 1, .start_us = 40, .us = 1}});
  CHECK(Arrows(TraceOf(store)) ==
        Lines{"input: /device:cpu:0|executor|1 12999 -> /device:cpu:0|executor|0 20000",
              "input: /device:cpu:0|executor|0 14999 -> /device:cpu:0|executor|0 20000",
              "input: /device:cpu:1|executor|0 10999 -> /device:cpu:0|executor|0 20000"});
}

TEST_CASE("timeline: a flow may start at the beginning of time") {
  const StorePtr store = StoreOf({{.name = "a"}, {.name = "b", .inputs = {"a"}}},
                                 {{.node = "b", .start_us = 20, .us = 1},
                                  {.node = "a", .start_us = -10'000'000'000'000, .us = 0}});
  const std::vector<TraceFlow> flows = All(TraceOf(store).flows);
  REQUIRE(flows.size() == 1);
  CHECK(flows[0].from_ps == kMinPs);
}

TEST_CASE("timeline: a launch has a flow to its accelerator event") {
  const StorePtr store =
      StoreOf({{.name = "a"}},
              {{.node = "a", .device = "/device:gpu:0", .start_us = 10, .us = 5},
               {.node = "a", .device = "/device:gpu:0/stream:all", .start_us = 12, .us = 9},
               {.node = "a", .device = "/device:gpu:0/stream:7", .start_us = 12, .us = 9}});
  CHECK(Arrows(TraceOf(store)) ==
        Lines{"launch: /device:gpu:0|executor|0 11999 -> /device:gpu:0|stream:all|0 12000"});
}

// A file in which the execution at offset i allocates i bytes as long as it runs.
Result<void> ReadTwoChanges(const std::map<uint64_t, std::pair<int64_t, int64_t>>& times,
                            std::span<const AllocationPlace> places, std::vector<Allocation>* out) {
  for (const AllocationPlace& place : places) {
    const auto [start_ps, end_ps] = times.at(place.offset);
    const auto bytes = static_cast<int64_t>(place.offset);
    out->push_back({place.event, "bfc", start_ps, bytes});
    out->push_back({place.event, "bfc", end_ps, -bytes});
  }
  return {};
}

TEST_CASE("timeline: memory in use and allocations are in order of time") {
  StoreBuilder builder;
  const auto times = std::make_shared<std::map<uint64_t, std::pair<int64_t, int64_t>>>();
  const SourceId source = builder.AddSource({"memory", "none", 0, 0});
  builder.source(source).details.allocations =
      [times](const Store&, std::span<const AllocationPlace> places, std::vector<Allocation>* out) {
        return ReadTwoChanges(*times, places, out);
      };
  builder.SetEpoch(0);
  const LaneId lane = AddDeviceLane("/device:gpu:0", builder);
  const NodeId node = builder.AddNode(builder.Name("a"), builder.Name("Op"), true);
  const LabelId label = builder.AddLabel(builder.Name("a"), node);
  builder.BeginRows(lane, builder.AddStep(0));
  const auto add = [&](int64_t start_us, int64_t end_us, int64_t in_use, int64_t allocated) {
    const int64_t us = kPsPerUs;
    const EventId event = builder.AddEvent(start_us * us, (end_us - start_us) * us, label, 0);
    ExecMemory memory;
    memory.event = event;
    memory.first_output = builder.next_output();
    memory.time_ps = end_us * us;
    memory.in_use = in_use;
    builder.AddMemory(memory);
    (*times)[static_cast<uint64_t>(allocated)] = {start_us * us, end_us * us};
    builder.AddAllocations(source, {static_cast<uint64_t>(allocated), 1, event});
  };
  add(10, 50, 500, 7);
  add(20, 30, 300, 1);
  CHECK(Samples(TraceOf(builder.Finish().value())) ==
        Lines{"/device:gpu:0|allocated: bfc: 7 at 10", "/device:gpu:0|allocated: bfc: 8 at 20",
              "/device:gpu:0|memory in use: 300 at 30", "/device:gpu:0|allocated: bfc: 7 at 30",
              "/device:gpu:0|memory in use: 500 at 50", "/device:gpu:0|allocated: bfc: 0 at 50"});
}

TEST_CASE("timeline: records at the end of time are exported last") {
  constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
  StoreBuilder builder;
  builder.SetEpoch(0);
  const LaneId lane = AddDeviceLane("/device:gpu:0", builder);
  const NodeId node = builder.AddNode(builder.Name("a"), builder.Name("Op"), true);
  const LabelId label = builder.AddLabel(builder.Name("a"), node);
  builder.BeginRows(lane, builder.AddStep(0));
  for (const int64_t time_ps : {kEnd, int64_t{5} * kPsPerUs}) {
    ExecMemory memory;
    memory.event = builder.AddEvent(time_ps == kEnd ? 1 : 2, 1, label, 0);
    memory.first_output = builder.next_output();
    memory.time_ps = time_ps;
    memory.in_use = time_ps == kEnd ? 9 : 7;
    builder.AddMemory(memory);
  }
  CHECK(Samples(TraceOf(builder.Finish().value())) ==
        Lines{"/device:gpu:0|memory in use: 7 at 5",
              fmt::format("/device:gpu:0|memory in use: 9 at {}", kEnd / kPsPerUs)});
}

TEST_CASE("timeline: records without a time are noted; an empty timeline is an error") {
  const StorePtr some = StoreOf({{.name = "a"}}, {{.node = "a", .start_us = 10, .us = 5},
                                                  {.node = "a", .start_us = 0, .us = 5}});
  const Trace trace = TraceOf(some);
  REQUIRE(trace.notes.size() == 1);
  CHECK(trace.notes[0].count == 1);
  Context context;
  const StorePtr none = StoreOf({{.name = "a"}}, {{.node = "a", .start_us = 0, .us = 5}});
  CHECK(Timeline(none, Indexes(none), {}, context).error().kind == ErrorKind::usage);
  Query query;
  query.place.step = 8;
  CHECK(Timeline(some, Indexes(some), query, context).error().kind == ErrorKind::usage);
}

}  // namespace tfprof::timeline_test
