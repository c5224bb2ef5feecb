// SPDX-License-Identifier: Apache-2.0
#include "emitters/page/trace/spans.h"

#include <catch2/catch.hpp>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "emitters/page/page.h"

namespace tfprof::spans_test {
namespace {

// A trace with one track in each of two groups. Its first start is at 1000 ps.
PageTrace Of(std::vector<TraceSpan> spans) {
  Trace trace;
  trace.earliest_ps = 1000;
  trace.groups = {{"host"}, {"GPU"}};
  trace.tracks = {{0, "thread"}, {1, "stream"}};
  auto at = std::make_shared<size_t>(0);
  trace.spans = [spans = std::move(spans), at](std::span<TraceSpan> out) {
    size_t filled = 0;
    while (filled < out.size() && *at < spans.size()) out[filled++] = spans[(*at)++];
    return filled;
  };
  Context context;
  return PageTrace::Of(trace, context).value();
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

TEST_CASE("a window has what overlaps it") {
  const PageTrace trace = Of({Span(0, 100, "a"), Span(150, 50, "b"), Span(300, 10, "c")});
  const std::vector<PageSpan> spans = SpansIn(trace, 0, {160, 250, 0});
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].start == 150);
  CHECK(spans[0].covered == 1);
}

TEST_CASE("short neighbors are one span with the name of the longest") {
  // Gaps of 5; then one of 100, and a long span.
  const PageTrace trace = Of(
      {Span(0, 5, "a"), Span(10, 8, "b"), Span(23, 5, "c"), Span(128, 5, "d"), Span(133, 50, "e")});
  const std::vector<PageSpan> spans = SpansIn(trace, 0, {0, 1000, 10});
  REQUIRE(spans.size() == 3);
  CHECK(spans[0].start == 0);
  CHECK(spans[0].length == 28);
  CHECK(spans[0].covered == 3);
  CHECK(NameOf(trace, spans[0].name) == "b");
  CHECK(NameOf(trace, spans[1].name) == "d");
  CHECK(NameOf(trace, spans[2].name) == "e");
  CHECK(spans[2].covered == 1);
}

TEST_CASE("pieces of many spans cover all of them") {
  std::vector<TraceSpan> many;
  for (int64_t i = 0; i < 1000; ++i) many.push_back(Span(10 * i, 5, "a"));
  many.push_back(Span(10'000, 500, "long"));
  for (int64_t i = 0; i < 100; ++i) many.push_back(Span(20'000 + 10 * i, 5, "a"));
  const PageTrace trace = Of(std::move(many));
  const std::vector<PageSpan> spans = SpansIn(trace, 0, {0, 100'000, 20});
  REQUIRE(spans.size() == 3);
  CHECK(spans[0].covered == 1000);
  CHECK(spans[0].length == 9995);
  CHECK(spans[1].length == 500);
  CHECK(spans[2].covered == 100);
  int64_t all = 0;
  for (const PageSpan& span : SpansIn(trace, 0, {0, 100'000, 0})) all += span.covered;
  CHECK(all == 1101);
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

TEST_CASE("of a trace that is cut, up to half are kept for their names") {
  const PageTrace trace = Of({Span(0, 50, "a"), Span(60, 40, "b"), Span(110, 2, "x"),
                              Span(120, 1, "x"), Span(130, 3, "c")});
  std::vector<bool> keeps;
  for (const std::string* name : trace.names.texts) keeps.push_back(*name == "x");
  Context context;
  PageTraceCounts counts;
  REQUIRE(TraceBlock(trace, 3, keeps, &counts, context).has_value());
  CHECK(counts.all == 5);
  CHECK(counts.kept == 3);
  CHECK(counts.named == 1);
  REQUIRE(TraceBlock(trace, 3, {}, &counts, context).has_value());
  CHECK(counts.named == 0);
  REQUIRE(TraceBlock(trace, 5, keeps, &counts, context).has_value());
  CHECK(counts.kept == 5);
}

}  // namespace
}  // namespace tfprof::spans_test
