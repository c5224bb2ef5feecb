// SPDX-License-Identifier: Apache-2.0
#include "emitters/page/trace/page_trace.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <numeric>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "emitters/page/trace/block.h"
#include "emitters/page/trace/ran_in.h"

namespace tfprof::trace_test {
namespace {

template <class T>
Cursor<T> Reading(std::vector<T> rows) {
  auto at = std::make_shared<size_t>(0);
  return [rows = std::move(rows), at](std::span<T> out) {
    size_t filled = 0;
    while (filled < out.size() && *at < rows.size()) out[filled++] = rows[(*at)++];
    return filled;
  };
}

// A trace with one track in each of two groups. Its first start is at 1000 ps.
PageTraceMaker MakerOf(std::vector<TraceSpan> spans, std::vector<TraceFlow> flows = {}) {
  Trace trace;
  trace.earliest_ps = 1000;
  trace.groups = {{"host"}, {"GPU"}};
  trace.tracks = {{0, "thread"}, {1, "stream"}};
  trace.spans = Reading(std::move(spans));
  trace.flows = Reading(std::move(flows));
  return PageTraceMaker(std::move(trace));
}

PageTrace Of(std::vector<TraceSpan> spans, std::vector<TraceFlow> flows = {}) {
  Context context;
  return MakerOf(std::move(spans), std::move(flows)).Finish(context).value();
}

TraceSpan Span(int64_t start, int64_t length, std::string_view name, uint32_t track = 0) {
  return {.start_ps = 1000 + start, .duration_ps = length, .name = name, .track = track};
}

const std::string& NameOf(const PageTrace& trace, uint32_t name) {
  return *trace.names.texts[name];
}

TEST_CASE("spans within others go into rows below them") {
  const PageTrace trace = Of({Span(0, 100, "a"), Span(10, 20, "b"), Span(40, 20, "c"),
                              Span(200, 10, "d"), Span(0, 50, "k", 1)});
  REQUIRE(trace.rows.size() == 3);
  CHECK(trace.rows[0].count == 2);  // a, d
  CHECK(trace.rows[1].count == 2);  // b, c
  CHECK(trace.rows[2].track == 1);
  CHECK(trace.from == 0);
  CHECK(trace.to == 210);
}

TEST_CASE("tracks that are ready are there before the others") {
  std::vector<TraceSpan> spans;
  for (int64_t i = 0; i < 1500; ++i) spans.push_back(Span(10 * i, 5, "a"));  // of two parts
  spans.push_back(Span(0, 50, "k", 1));
  PageTraceMaker maker = MakerOf(spans);
  constexpr auto kOnePart = std::chrono::steady_clock::time_point::min();
  Context context, cancelled;
  cancelled.polls_until_cancel = 0;
  CHECK_FALSE(maker.Prepare(kOnePart, context).value());
  CHECK(maker.made().ready_tracks == 0);
  CHECK(maker.made().rows.empty());
  CHECK_FALSE(maker.Prepare(kOnePart, cancelled).has_value());
  CHECK_FALSE(maker.Prepare(kOnePart, context).value());
  CHECK(maker.made().ready_tracks == 1);
  REQUIRE(maker.made().rows.size() == 1);
  CHECK(maker.made().spans.size() == 1500);
  CHECK(maker.made().spans[1499].start == 14'990);

  const PageTrace trace = maker.Finish(context).value();
  CHECK(trace.ready_tracks == 2);
  REQUIRE(trace.rows.size() == 2);
  CHECK(trace.rows[1].track == 1);
  CHECK(trace.spans[1500].length == 50);
}

TEST_CASE("spans that overlap without nesting do not go down row by row") {
  std::vector<TraceSpan> spans{Span(0, 100'000, "module")};
  for (int64_t step = 0; step < 20; ++step) {
    spans.push_back(Span(100 + 1000 * step, 1010, "step"));  // overlaps the next one
    spans.push_back(Span(110 + 1000 * step, 500, "forward"));
  }
  const PageTrace trace = Of(std::move(spans));
  REQUIRE(trace.rows.size() == 4);
  CHECK(trace.rows[0].count == 1);
  for (const PageRow& row : trace.rows) {
    for (size_t i = row.first + 1; i < row.first + row.count; ++i) {
      CHECK(trace.spans[i - 1].start + trace.spans[i - 1].length <= trace.spans[i].start);
    }
  }
}

TEST_CASE("levels of a track have rows of their own, and rows below them") {
  std::vector<TraceSpan> spans{Span(0, 100, "a"), Span(50, 100, "b"), Span(60, 20, "in b"),
                               Span(70, 20, "in a")};
  spans[1].level = spans[2].level = 1;
  const PageTrace trace = Of(std::move(spans));
  REQUIRE(trace.rows.size() == 4);  // a, in a, b, in b
  CHECK(NameOf(trace, trace.spans[trace.rows[1].first].name) == "in a");
  CHECK(NameOf(trace, trace.spans[trace.rows[2].first].name) == "b");
}

std::vector<PageSpan> SpansIn(const PageTrace& trace, size_t row, const TraceWindow& window) {
  TracePieces pieces;
  pieces.AddRow(trace, row, window);
  CHECK(pieces.firsts.size() == pieces.spans.size());
  return pieces.spans;
}

TEST_CASE("spans keep their times, whatever is between them") {
  constexpr int64_t kLong = int64_t{1} << 32;  // more than a short span's 32 bits
  std::vector<PageSpan> wanted;
  for (uint32_t i = 0; i < 200; ++i) wanted.push_back({1000 + 10 * int64_t{i}, 5, i});
  wanted[70].length = kLong;             // a long span,
  wanted[199].start = int64_t{3} << 50;  // a long gap,
  wanted[130].start = 1;                 // and the first one of another row
  wanted[63].length = kLong - 1;
  PageSpans spans;
  spans.Add(std::span(wanted).first(50));
  spans.Add(std::span(wanted).subspan(50));
  REQUIRE(spans.size() == wanted.size());
  bool are_same = true;
  for (size_t i = 0; i < wanted.size(); ++i) {
    are_same &= spans[i].start == wanted[i].start && spans[i].length == wanted[i].length &&
                spans[i].name == wanted[i].name && spans.NameOf(i) == wanted[i].name;
  }
  CHECK(are_same);
  const auto precedes = [](const PageSpan& span) { return span.start < 1100; };
  CHECK(spans.After(0, 60, precedes) == 10);
  CHECK(spans.After(20, 60, precedes) == 20);
  CHECK(spans.After(0, 5, precedes) == 5);
}

TEST_CASE("a window has what overlaps it") {
  const PageTrace trace = Of({Span(0, 100, "a"), Span(150, 50, "b"), Span(300, 10, "c")});
  const std::vector<PageSpan> spans = SpansIn(trace, 0, {160, 250, 0});
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].start == 150);
  CHECK(spans[0].covered == 1);
}

TEST_CASE("neighbors that are together short are one span with the name of the longest") {
  const PageTrace trace = Of(
      {Span(0, 5, "a"), Span(10, 8, "b"), Span(23, 5, "c"), Span(128, 5, "d"), Span(133, 50, "e")});
  const std::vector<PageSpan> spans = SpansIn(trace, 0, {0, 1000, 20});
  REQUIRE(spans.size() == 4);
  CHECK(spans[0].start == 0);
  CHECK(spans[0].length == 18);  // with c it would be 28
  CHECK(spans[0].covered == 2);
  CHECK(NameOf(trace, spans[0].name) == "b");
  CHECK(NameOf(trace, spans[1].name) == "c");
  CHECK(NameOf(trace, spans[2].name) == "d");
  CHECK(NameOf(trace, spans[3].name) == "e");
  CHECK(spans[3].covered == 1);
}

TEST_CASE("pieces cover all spans, in order, and are as many as the picture has room for") {
  std::mt19937 random(7);
  std::vector<TraceSpan> many;
  int64_t end = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto gap = static_cast<int64_t>(random() % 20),
               length = static_cast<int64_t>(i % 1000 == 999 ? 5000 : random() % 10);
    many.push_back(Span(end + gap, length, i % 7 == 0 ? "a" : "b"));
    end += gap + length;
  }
  const PageTrace trace = Of(std::move(many));
  for (const int64_t least : {0, 1, 3, 100, 1000, 100'000, 10'000'000}) {
    const std::vector<PageSpan> spans = SpansIn(trace, 0, {0, end, least});
    size_t at = 0;
    int64_t before = 0;
    bool is_right = true;
    for (const PageSpan& span : spans) {
      is_right &= span.start == trace.spans[at].start && span.start >= before;
      at += span.covered;
      before = span.End();
      is_right &= before == trace.spans[at - 1].End();
      is_right &= span.covered == 1 || span.length < least;
    }
    CHECK(is_right);
    CHECK(at == 100'000);
    if (least > 0) CHECK(static_cast<int64_t>(spans.size()) <= 2 * end / least + 2);
  }
  Context context;
  const int64_t least = LeastFor(trace, 1000, context).value();
  const size_t pieces = SpansIn(trace, 0, {trace.from, trace.to, least}).size();
  CHECK(pieces <= 1000);
  CHECK(pieces >= 500);
  CHECK(LeastFor(trace, 100'000, context).value() == 0);
}

TEST_CASE("a piece does not reach beyond the window") {
  std::vector<TraceSpan> many;
  for (int64_t i = 0; i < 100; ++i) many.push_back(Span(10 * i, 5, "a"));
  const PageTrace trace = Of(std::move(many));
  const std::vector<PageSpan> spans = SpansIn(trace, 0, {0, 500, 100'000});
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].covered == 51);
}

TEST_CASE("matches of a search are found in pieces and one by one") {
  std::vector<TraceSpan> many;
  for (int64_t i = 0; i < 300; ++i) many.push_back(Span(10 * i, 5, i % 100 == 70 ? "wanted" : "a"));
  const PageTrace trace = Of(std::move(many));
  Context context;
  const SpanMatches found = SpanMatches::Of(trace, "WANT", context).value();
  CHECK(found.count == 3);
  CHECK(found.HasIn(0, 71));
  CHECK(found.HasIn(70, 1));
  CHECK_FALSE(found.HasIn(0, 70));
  CHECK_FALSE(found.HasIn(71, 99));
  CHECK(found.HasIn(71, 100));
  CHECK_FALSE(found.HasIn(70, 0));
  CHECK(found.Next(-1, false) == 70);
  CHECK(found.Next(70, false) == 170);
  CHECK(found.Next(270, false) == 70);
  CHECK(found.Next(70, true) == 270);
  CHECK(found.Next(300, true) == 270);
  CHECK(found.Next(270, true) == 170);
  CHECK(SpanMatches::Of(trace, "none", context).value().Next(0, false) == -1);
}

TEST_CASE("samples of a counter keep the highest value and the last one") {
  const std::vector<PageSample> samples = {{0, 5}, {10, 9}, {12, 3}, {30, 4}, {31, 4}, {90, 7}};
  const auto times = [](const std::vector<PageSample>& kept) {
    std::vector<std::pair<int64_t, int64_t>> pairs;
    for (const PageSample& sample : kept) pairs.push_back({sample.time, sample.value});
    return pairs;
  };
  using Pairs = std::vector<std::pair<int64_t, int64_t>>;
  CHECK(times(SamplesIn(samples, {0, 100, 20})) == Pairs{{0, 9}, {12, 3}, {31, 4}, {90, 7}});
  CHECK(times(SamplesIn(samples, {0, 100, 0})).size() == samples.size());
  // What holds at the begin is there; what follows the end is not.
  CHECK(times(SamplesIn(samples, {11, 50, 1})) == Pairs{{10, 9}, {12, 3}, {30, 4}, {31, 4}});
}

TEST_CASE("sums of a range count parts of spans that reach beyond it") {
  const PageTrace trace =
      Of({Span(0, 100, "a"), Span(10, 20, "b"), Span(200, 50, "a"), Span(20, 100, "a", 1)});
  Context context;
  const std::vector<RanInRange> ran = RanIn(trace, 20, 220, context).value();
  REQUIRE(ran.size() == 3);
  CHECK(NameOf(trace, ran[0].name) == "a");
  CHECK(ran[0].group == 0);
  CHECK(ran[0].count == 2);
  CHECK(ran[0].time == 80 + 20);
  CHECK(ran[0].longest == 100);
  CHECK(ran[1].group == 1);
  CHECK(ran[1].time == 100);
  CHECK(NameOf(trace, ran[2].name) == "b");
  CHECK(ran[2].time == 10);
}

TEST_CASE("a trace that is cut has the longest spans and those that are named") {
  std::vector<TraceSpan> spans{Span(0, 10'000, "long")};
  for (int64_t i = 0; i < 1000; ++i) {
    spans.push_back(Span(20'000 + 10 * i, 5, i % 500 == 250 ? "x" : "a"));
  }
  spans.push_back(Span(40'000, 9'000, "long"));
  const PageTrace trace = Of(std::move(spans), {{.from_ps = 1500, .to_ps = 41'500, .name = {}},
                                                {.from_ps = 21'502, .to_ps = 21'603, .name = {}}});
  std::vector<bool> keeps;
  for (const std::string* name : trace.names.texts) keeps.push_back(*name == "x");
  Context context;
  PageTraceCounts counts;
  const PageTraceLimits limits{.spans = 20, .flows = 5, .samples = 5};
  REQUIRE(TraceBlock(trace, limits, keeps, &counts, context).has_value());
  CHECK(counts.all == 1002);
  CHECK(counts.named == 2);
  CHECK(counts.kept == 4);
  CHECK(counts.flows == 2);
  CHECK(counts.flows_kept == 1);  // the other one is between short spans
  REQUIRE(TraceBlock(trace, limits, {}, &counts, context).has_value());
  CHECK(counts.named == 0);
  CHECK(counts.kept == 2);
  REQUIRE(TraceBlock(trace, {.spans = 1002, .flows = 1}, keeps, &counts, context).has_value());
  CHECK(counts.kept == 1002);
  CHECK(counts.named == 0);
  CHECK(counts.flows_kept == 1);
}

}  // namespace
}  // namespace tfprof::trace_test
