// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "core/report/trace_export.h"
#include "emitters/page/bytes.h"

namespace tfprof {

// A span as a page draws it. Times of this header are in ps from the first start of the profile.
struct PageSpan {
  int64_t start = 0;
  int64_t length = 0;
  uint32_t name = 0;     // of PageTrace::names
  uint32_t covered = 1;  // spans that it stands for; its name is that of the longest
};

// Spans [first, first + count) of the trace, which do not overlap, by start.
struct PageRow {
  uint32_t track = 0;
  size_t first = 0;
  size_t count = 0;
};

// 64 spans that follow each other in a row; fewer at its end.
constexpr size_t kSpansPerChunk = 64;
struct SpanChunk {
  int64_t longest = 0;      // of their lengths
  int64_t longest_gap = 0;  // between two of them
  uint32_t name = 0;        // of the longest
};

struct PageFlow {
  uint32_t from_track = 0;
  uint32_t to_track = 0;
  int64_t from = 0;
  int64_t to = 0;
};

struct PageSample {
  int64_t time = 0;
  int64_t value = 0;
};

// A trace in memory, prepared for pictures of any part of it.
struct PageTrace {
  std::vector<TraceGroup> groups;
  std::vector<TraceTrack> tracks;
  std::vector<std::string> notes;
  PageTexts names;  // printable
  std::vector<PageSpan> spans;
  std::vector<PageRow> rows;                   // by track
  std::vector<std::vector<SpanChunk>> chunks;  // by row
  std::vector<TraceCounter> counters;
  std::vector<std::vector<PageSample>> samples;  // by counter
  std::vector<PageFlow> flows;
  int64_t from = 0;  // where something is
  int64_t to = 0;

  // Error: cancelled.
  static Result<PageTrace> Of(const Trace& trace, Context& context);
};

// The part of a trace that a picture shows.
struct TraceWindow {
  int64_t from = 0;
  int64_t to = 0;
  int64_t least = 0;  // neighbors that are shorter, and as close, become one span
};

// Returns the spans of a row that are in the window. `firsts`: the number in the trace of each, or
// of the first that it stands for; null: not needed.
std::vector<PageSpan> SpansIn(const PageTrace& trace, size_t row, const TraceWindow& window,
                              std::vector<size_t>* firsts = nullptr);

// The spans whose names match a search.
struct SpanMatches {
  std::vector<uint32_t> spans;  // ascending numbers

  // Error: usage, an invalid expression. `text`: a part of a name in any case, or /EXPRESSION/.
  static Result<SpanMatches> Of(const PageTrace& trace, const std::string& text, Context& context);

  bool HasIn(size_t first, size_t count) const;
  // Returns the next match after `span`, or with `back` before it, around the ends; -1: none.
  int64_t Next(int64_t span, bool back) const;
};

// Returns the number of the row that has a span.
size_t RowOf(const PageTrace& trace, size_t span);

// What ran in a part of the trace under one name, in one group of tracks.
struct RanInRange {
  uint32_t group = 0;
  uint32_t name = 0;
  int64_t count = 0;
  int64_t time = 0;     // of the parts in the range
  int64_t longest = 0;  // also outside of it
};

// Returns the sums by name, the largest time first. Error: cancelled.
Result<std::vector<RanInRange>> RanIn(const PageTrace& trace, int64_t from, int64_t to,
                                      Context& context);

}  // namespace tfprof
