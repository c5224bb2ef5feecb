// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/column.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "core/report/trace_export.h"
#include "emitters/page/bytes.h"
#include "emitters/page/trace/spans.h"

// A trace in memory, prepared for pictures of any part of it. Times of this folder are in ps from
// the first start of the profile.

namespace tfprof {

// Spans [first, first + count) of the trace, which do not overlap, by start.
struct PageRow {
  uint32_t track = 0;
  size_t first = 0;
  size_t count = 0;
};

// Spans, or chunks of the level below, that follow each other in a row; fewer at its end.
constexpr size_t kSpansPerChunk = 16;
struct SpanChunk {
  int64_t end = 0;      // of the last of them
  int64_t longest = 0;  // of their lengths
  uint32_t name = 0;    // of the longest
};
using ChunkLevels = std::vector<std::vector<SpanChunk>>;

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

struct PageTrace {
  std::vector<TraceGroup> groups;
  std::vector<TraceTrack> tracks;
  size_t ready_tracks = 0;  // those that have their rows: all, once the trace is complete
  std::vector<std::string> notes;
  PageTexts names;  // printable
  PageSpans spans;
  std::vector<PageRow> rows;        // by track
  std::vector<ChunkLevels> chunks;  // by row
  std::vector<TraceCounter> counters;
  std::vector<std::vector<PageSample>> samples;  // by counter
  Column<PageFlow> flows;
  int64_t from = 0;  // where something is
  int64_t to = 0;
};

// Prepares a trace in parts, track by track, so that its first rows can be drawn before the last
// ones are there.
class PageTraceMaker {
 public:
  explicit PageTraceMaker(Trace trace);
  ~PageTraceMaker();
  PageTraceMaker(PageTraceMaker&&) noexcept;
  PageTraceMaker& operator=(PageTraceMaker&&) noexcept;

  // Prepares at least one part, and others until that time. Returns true once the trace is
  // complete. Error: cancelled; another call goes on.
  Result<bool> Prepare(std::chrono::steady_clock::time_point until, Context& context);

  // What is there: rows of tracks that have all of theirs. Samples and flows come last.
  const PageTrace& made() const;

  // Prepares what is missing, and gives all away. Error: cancelled.
  Result<PageTrace> Finish(Context& context);

 private:
  class Rows;
  std::unique_ptr<Rows> rows_;
};

// Returns the number of the row that has a span.
size_t RowOf(const PageTrace& trace, size_t span);

}  // namespace tfprof
