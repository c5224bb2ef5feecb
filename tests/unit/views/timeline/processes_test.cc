// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/support/trace_of.h"
#include "views/timeline/timeline.h"

namespace tfprof::processes_test {
namespace {

using Lines = std::vector<std::string>;

template <class T>
std::vector<T> All(const Cursor<T>& cursor) {
  std::vector<T> all, block(2);  // small: blocks end everywhere
  while (const size_t count = cursor(block)) {
    all.insert(all.end(), block.begin(), block.begin() + static_cast<ptrdiff_t>(count));
  }
  return all;
}

Trace Draw(const StorePtr& store, const Query& query = {}) {
  Context context;
  return Timeline(store, Indexes(store), query, context).value();
}

std::string Place(const Trace& trace, uint32_t track, uint32_t level) {
  return fmt::format("{}|{}|{}", trace.groups[trace.tracks[track].group].name,
                     trace.tracks[track].name, level);
}

Lines Spans(const Trace& trace) {
  Lines lines;
  for (const TraceSpan& span : All(trace.spans)) {
    lines.push_back(fmt::format("{}: {} {}+{}", Place(trace, span.track, span.level), span.name,
                                span.start_ps, span.duration_ps));
  }
  return lines;
}

Lines Arrows(const Trace& trace) {
  Lines lines;
  for (const TraceFlow& flow : All(trace.flows)) {
    lines.push_back(fmt::format("{}: {} {} -> {} {}", flow.name,
                                Place(trace, flow.from_track, flow.from_level), flow.from_ps,
                                Place(trace, flow.to_track, flow.to_level), flow.to_ps));
  }
  return lines;
}

Lines Samples(const Trace& trace) {
  Lines lines;
  for (const TraceSample& sample : All(trace.samples)) {
    const TraceCounter& counter = trace.counters[sample.counter];
    lines.push_back(fmt::format("{}|{}: {} at {}", trace.groups[counter.group].name, counter.name,
                                sample.value, sample.time_ps));
  }
  return lines;
}

TestDetails Correlation(int64_t number) { return {{"correlation", number}}; }

// A host that launches two kernels, one of them before the call ends.
StorePtr Launches() {
  return TraceOf({{.lanes = {{.name = "main",
                              .events = {{"first", 0, 5000, Correlation(1)},
                                         {"second", 10'000, 5000, Correlation(2)},
                                         {"third", 10'500, 100, Correlation(3)}}},
                             {.name = "idle"}}},
                  {.name = "/device:GPU:0",
                   .lanes = {{.name = "Stream #1",
                              .events = {{"k1", 9000, 2000, Correlation(1)},
                                         {"k2", 12'000, 2000, Correlation(2)},
                                         {"over k2", 13'000, 9000, Correlation(3)},
                                         {"sum of some", kNoTime, 77}}}}},
                  {.name = "/device:GPU:1", .lanes = {{.name = "Stream #1"}}}});
}

TestEvent Kernel(int64_t start_ps, int64_t group) {
  return {"sgemm", start_ps, 10, {{"group", group}, {"correlation", start_ps}}};
}

TestEvent InUse(std::string allocator, int64_t at_ps, int64_t bytes, int64_t group) {
  return {"MemoryAllocation",
          at_ps,
          0,
          {{"allocator", std::move(allocator)}, {"bytes_in_use", bytes}, {"group", group}}};
}

// Two steps of a GPU, and what three allocators had in use meanwhile.
StorePtr Steps() {
  return TraceOf(
      {{.lanes = {{.name = "main",
                   .events = {InUse("GPU_0_bfc", 3, 100, 0), InUse("gpu_host_bfc", 4, 7, 0),
                              InUse("1", 5, 9, 0), InUse("GPU_0_bfc", 30, 60, 1)}}}},
       {.name = "/device:GPU:0",
        .lanes = {{.name = "Stream #1", .events = {Kernel(10, 0), Kernel(25, 0), Kernel(50, 1)}}}},
       {.name = "/device:GPU:1"}});
}

}  // namespace

TEST_CASE(
    "timeline: each process with events is a group, devices first, what overlaps on further "
    "levels") {
  const Trace trace = Draw(Launches());
  CHECK(Spans(trace) ==
        Lines{"/device:GPU:0|Stream #1|0: k1 9000+2000", "/device:GPU:0|Stream #1|0: k2 12000+2000",
              "/device:GPU:0|Stream #1|1: over k2 13000+9000", "/host:CPU|main|0: first 0+5000",
              "/host:CPU|main|0: second 10000+5000", "/host:CPU|main|0: third 10500+100"});
  REQUIRE(trace.groups.size() == 2);
  CHECK(trace.groups[0].label.empty());
  REQUIRE(trace.notes.size() == 1);
  CHECK(trace.notes[0].count == 1);  // what has no time
}

TEST_CASE("timeline: kernels of a GPU make tracks of name scopes and operations") {
  const std::string product = "net/a/MatMul:MatMul", sum = "net/b/Add:Add";
  const std::vector<TestEvent> kernels = {
      TestKernel("k1", 100, 50, product), TestKernel("k2", 150, 20, product),
      TestKernel("MemcpyD2H", 180, 5, product), TestKernel("k3", 200, 30, sum)};
  const StorePtr store =
      TraceOf({{.name = "/device:GPU:0", .lanes = {{.name = "Stream #1", .events = kernels}}}});
  Lines spans = Spans(Draw(store));
  spans.resize(5);
  const std::string gpu = "/device:GPU:0: steps and operations|";
  CHECK(spans == Lines{gpu + "name scopes|0: net 100000+130000",
                       gpu + "name scopes|0: a 100000+70000", gpu + "name scopes|0: b 200000+30000",
                       gpu + "operations|0: net/a/MatMul 100000+70000",
                       gpu + "operations|0: net/b/Add 200000+30000"});
  const StorePtr derived =
      TraceOf({{.name = "/device:GPU:0",
                .lanes = {{.name = "Stream #1", .events = kernels},
                          {.name = "Steps", .events = {{"1", 0, 10}}, .derived = true}}}});
  CHECK(Spans(Draw(derived)).size() == 5);  // the recorder's tracks are enough
}

TEST_CASE("timeline: each stream of a GPU has tracks of its own") {
  const StorePtr store = TraceOf(
      {{.name = "/device:GPU:0",
        .lanes = {
            {.name = "Stream #1", .events = {TestKernel("k1", 100, 50, "net/a/MatMul:MatMul")}},
            {.name = "Stream #2", .events = {TestKernel("k2", 120, 10, "net/b/Add:Add")}}}}});
  Lines spans = Spans(Draw(store));
  spans.resize(6);
  const std::string gpu = "/device:GPU:0: steps and operations|";
  CHECK(spans == Lines{gpu + "name scopes of Stream #1|0: net 100000+50000",
                       gpu + "name scopes of Stream #1|0: a 100000+50000",
                       gpu + "operations of Stream #1|0: net/a/MatMul 100000+50000",
                       gpu + "name scopes of Stream #2|0: net 120000+10000",
                       gpu + "name scopes of Stream #2|0: b 120000+10000",
                       gpu + "operations of Stream #2|0: net/b/Add 120000+10000"});
}

TEST_CASE("timeline: flows start at the end of a launch, or when the launched event starts") {
  const StorePtr store = Launches();
  CHECK(Arrows(Draw(store)) ==
        Lines{"launch: /host:CPU|main|0 4000 -> /device:GPU:0|Stream #1|0 9000",
              "launch: /host:CPU|main|0 11000 -> /device:GPU:0|Stream #1|0 12000",
              "launch: /host:CPU|main|0 10500 -> /device:GPU:0|Stream #1|1 13000"});
  Query query;
  query.tree.hide_name_regexes = PatternList({"first"});
  CHECK(Arrows(Draw(store, query)).size() == 2);
  query = {};
  query.place.device = "gpu";
  CHECK(Arrows(Draw(store, query)).empty());
}

TEST_CASE("timeline: with several hosts, each group names its host") {
  const StorePtr store =
      TraceOf({{.lanes = {{.name = "main", .events = {{"a", 0, 1}}}}, .host = "x"},
               {.lanes = {{.name = "main", .events = {{"b", 1, 1}}}}, .host = "y"}});
  const Trace trace = Draw(store);
  REQUIRE(trace.groups.size() == 2);
  CHECK(trace.groups[0].label == "x");
  CHECK(trace.groups[1].label == "y");
  Query query;
  query.place.host = "y";
  CHECK(Spans(Draw(store, query)) == Lines{"/host:CPU|main|0: b 1+1"});
}

TEST_CASE("timeline: steps of a trace are spans before everything else; -step selects its events") {
  const Trace all = Draw(Steps());
  const Lines spans = Spans(all);
  REQUIRE(spans.size() == 2 + 3 + 4);
  CHECK(spans[0] == "steps|steps|0: step 0 10+25");
  CHECK(spans[1] == "steps|steps|0: step 1 50+10");
  Query query;
  query.place.step = 1;
  CHECK(Spans(Draw(Steps(), query)) == Lines{"steps|steps|0: step 1 50+10",
                                             "/device:GPU:0|Stream #1|0: sgemm 50+10",
                                             "/host:CPU|main|0: MemoryAllocation 30+0"});
  query.place.step = 2;
  Context context;
  const auto none = Timeline(Steps(), Indexes(Steps()), query, context);
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == ErrorKind::usage);
}

TEST_CASE("timeline: the steps of each host have a track; overlapping ones are on levels") {
  const auto host = [](std::string name, int64_t at_ps) {
    const auto train = [](int64_t start_ps, int64_t group) {
      return TestEvent{"train", start_ps, 30, {{"group", group}}};
    };
    const auto work = [](int64_t start_ps, int64_t group) {
      return TestEvent{"MatMul", start_ps, 20, {{"group", group}}};
    };
    return TestProcess{
        .lanes = {{.name = "a", .events = {train(at_ps, 0), work(at_ps + 5, 0)}},
                  {.name = "b", .events = {train(at_ps + 20, 1), work(at_ps + 25, 1)}}},
        .host = std::move(name)};
  };
  const StorePtr store = TraceOf({host("x", 0), host("y", 100)});
  const Lines spans = Spans(Draw(store));
  REQUIRE(spans.size() == 4 + 8);
  CHECK(Lines(spans.begin(), spans.begin() + 4) ==
        Lines{"steps|x|0: step 0 0+30", "steps|x|1: step 1 20+30", "steps|y|0: step 0 100+30",
              "steps|y|1: step 1 120+30"});
  Query query;
  query.place.host = "y";
  CHECK(Spans(Draw(store, query))[0] == "steps|y|0: step 0 100+30");
}

TEST_CASE("timeline: memory in use is exported with the allocator's device, else its host") {
  const StorePtr store = Steps();
  CHECK(Samples(Draw(store)) == Lines{"/device:GPU:1|memory in use: 1: 9 at 5",
                                      "/device:GPU:0|memory in use: GPU_0_bfc: 100 at 3",
                                      "/device:GPU:0|memory in use: GPU_0_bfc: 60 at 30",
                                      "/host:CPU|memory in use: gpu_host_bfc: 7 at 4"});
  Query query;
  query.place.device = "gpu:0";
  query.place.step = 1;
  CHECK(Samples(Draw(store, query)) == Lines{"/device:GPU:0|memory in use: GPU_0_bfc: 60 at 30"});
  query.place.host = "elsewhere";
  CHECK(Samples(Draw(store, query)).empty());
}

}  // namespace tfprof::processes_test
