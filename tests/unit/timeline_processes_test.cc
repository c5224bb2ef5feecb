// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/unit/trace_of.h"
#include "views/timeline.h"

namespace tfprof {
namespace {

using Lines = std::vector<std::string>;

template <class T>
std::vector<T> All(const Cursor<T>& cursor) {
  std::vector<T> all, block(2);  // small: blocks end everywhere
  while (const size_t count = cursor.next(cursor.state.get(), block)) {
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
  for (const TraceArrow& arrow : All(trace.arrows)) {
    lines.push_back(fmt::format("{}: {} {} -> {} {}", arrow.name, Place(trace, arrow.from_track, 0),
                                arrow.from_ps, Place(trace, arrow.to_track, 0), arrow.to_ps));
  }
  return lines;
}

TestDetails Correlation(int64_t number) { return {{"correlation", number}}; }

// A host that launches two kernels, one of them before the call ends.
StorePtr Launches() {
  return TraceOf({{.lanes = {{.name = "main",
                              .events = {{"first", 0, 5000, Correlation(1)},
                                         {"second", 10'000, 5000, Correlation(2)}}},
                             {.name = "idle"}}},
                  {.name = "/device:GPU:0",
                   .lanes = {{.name = "Stream #1",
                              .events = {{"k1", 9000, 2000, Correlation(1)},
                                         {"k2", 12'000, 2000, Correlation(2)},
                                         {"over k2", 13'000, 9000},
                                         {"sum of some", kNoTime, 77}}}}},
                  {.name = "/device:GPU:1", .lanes = {{.name = "Stream #1"}}}});
}

}  // namespace

TEST_CASE("timeline: a group per process with events, devices first, a lane on one level") {
  const Trace trace = Draw(Launches());
  CHECK(Spans(trace) ==
        Lines{"/device:GPU:0|Stream #1|0: k1 9000+2000", "/device:GPU:0|Stream #1|0: k2 12000+2000",
              "/device:GPU:0|Stream #1|0: over k2 13000+9000", "/host:CPU|main|0: first 0+5000",
              "/host:CPU|main|0: second 10000+5000"});
  REQUIRE(trace.groups.size() == 2);
  CHECK(trace.groups[0].label.empty());
  REQUIRE(trace.notes.size() == 1);
  CHECK(trace.notes[0].count == 1);  // what has no time
}

TEST_CASE("timeline: arrows leave a launch at its end, or when what it launched starts") {
  const StorePtr store = Launches();
  CHECK(Arrows(Draw(store)) ==
        Lines{"launch: /host:CPU|main|0 4000 -> /device:GPU:0|Stream #1|0 9000",
              "launch: /host:CPU|main|0 11000 -> /device:GPU:0|Stream #1|0 12000"});
  Query query;
  query.hide_name_regexes = PatternList({"first"});
  CHECK(Arrows(Draw(store, query)).size() == 1);
  query = {};
  query.device = "gpu";
  CHECK(Arrows(Draw(store, query)).empty());
}

TEST_CASE("timeline: of several hosts each group tells its own") {
  const StorePtr store =
      TraceOf({{.lanes = {{.name = "main", .events = {{"a", 0, 1}}}}, .host = "x"},
               {.lanes = {{.name = "main", .events = {{"b", 1, 1}}}}, .host = "y"}});
  const Trace trace = Draw(store);
  REQUIRE(trace.groups.size() == 2);
  CHECK(trace.groups[0].label == "x");
  CHECK(trace.groups[1].label == "y");
  Query query;
  query.host = "y";
  CHECK(Spans(Draw(store, query)) == Lines{"/host:CPU|main|0: b 1+1"});
}

}  // namespace tfprof
