// SPDX-License-Identifier: Apache-2.0
#include "emitters/page/trace/pieces.h"

#include <algorithm>

namespace tfprof {
namespace {

// Spans that become one piece, and their longest.
struct Run {
  size_t count = 1;
  int64_t end = 0;
  int64_t longest = 0;
  uint32_t name = 0;
};

// Returns the largest chunk that begins at a span and is a piece; else the span alone. `at`, `end`:
// numbers in the row.
Run RunAt(const PageSpan& span, const ChunkLevels& levels, size_t at, size_t end, size_t in_row,
          const TraceWindow& window) {
  Run run{1, span.End(), span.length, span.name};
  size_t size = 1;
  for (const std::vector<SpanChunk>& level : levels) {
    size *= kSpansPerChunk;
    const size_t after = std::min(at + size, in_row);
    if (at % size != 0 || after > end) break;
    const SpanChunk& chunk = level[at / size];
    if (chunk.end - span.start >= window.least || chunk.end > window.to) break;
    run = {after - at, chunk.end, chunk.longest, chunk.name};
  }
  return run;
}

int64_t HighestOf(const PageSample* first, const PageSample* end) {
  return std::max_element(
             first, end, [](const PageSample& a, const PageSample& b) { return a.value < b.value; })
      ->value;
}

}  // namespace

void TracePieces::Reserve(const PageTrace& trace, size_t rows, const TraceWindow& window) {
  const int64_t from = std::max(window.from, trace.from), to = std::min(window.to, trace.to);
  if (to <= from || window.least <= 0) return;
  // Two that follow each other are longer than the least piece.
  const auto of_row = static_cast<size_t>((to - from) / window.least * 2 + 2);
  spans.reserve(std::min(rows * of_row, trace.spans.size()));
  firsts.reserve(spans.capacity());
}

void TracePieces::Add(const PageTrace& trace, size_t row_at, size_t first, size_t end,
                      const TraceWindow& window) {
  const PageRow& row = trace.rows[row_at];
  const size_t last = end - row.first;
  bool joins = false;  // the piece before is of this call
  int64_t longest = 0;
  for (size_t at = first - row.first; at < last;) {
    const PageSpan span = trace.spans[row.first + at];
    if (span.start > window.to) break;
    const Run run = RunAt(span, trace.chunks[row_at], at, last, row.count, window);
    if (joins && run.end - spans.back().start < window.least) {
      PageSpan& piece = spans.back();
      if (run.longest > longest) piece.name = run.name;
      longest = std::max(longest, run.longest);
      piece.length = run.end - piece.start;
      piece.covered += static_cast<uint32_t>(run.count);
    } else {
      spans.push_back(
          {span.start, run.end - span.start, run.name, static_cast<uint32_t>(run.count)});
      firsts.push_back(row.first + at);
      longest = run.longest;
      joins = true;
    }
    at += run.count;
  }
}

void TracePieces::AddRow(const PageTrace& trace, size_t row_at, const TraceWindow& window) {
  const PageRow& row = trace.rows[row_at];
  const size_t end = row.first + row.count;
  const size_t first = trace.spans.After(
      row.first, end, [&](const PageSpan& span) { return span.End() < window.from; });
  Add(trace, row_at, first, end, window);
}

Result<int64_t> LeastFor(const PageTrace& trace, size_t most, Context& context) {
  if (trace.spans.size() <= most) return 0;
  TracePieces pieces;
  const auto count_with = [&](int64_t least) -> Result<size_t> {
    pieces.spans.clear();
    pieces.firsts.clear();
    for (size_t row = 0; row < trace.rows.size() && pieces.spans.size() <= most; ++row) {
      TFPROF_TRY(Poll(context));
      pieces.AddRow(trace, row, {trace.from, trace.to, least});
    }
    return pieces.spans.size();
  };
  int64_t least = std::max<int64_t>(trace.to - trace.from, 1);
  for (int64_t finer = least; finer > 1; least = finer) {
    finer = least / 2;
    TFPROF_ASSIGN(const size_t count, count_with(finer));
    if (count > most) break;
  }
  // Nearly half of the pieces may be left.
  const int64_t between = least / 2 + least / 4;
  TFPROF_ASSIGN(const size_t count, count_with(between));
  return count > most ? least : between;
}

std::vector<PageSample> SamplesIn(const std::vector<PageSample>& samples,
                                  const TraceWindow& window) {
  const PageSample* const end = samples.data() + samples.size();
  const auto after = [&](const PageSample* first, int64_t time) {
    return std::partition_point(first, end,
                                [&](const PageSample& sample) { return sample.time <= time; });
  };
  std::vector<PageSample> kept;
  // The sample before the window holds at its begin.
  const PageSample* at = after(samples.data(), window.from);
  if (at != samples.data()) --at;
  while (at != end && at->time <= window.to) {
    const PageSample* const next = after(at, at->time + std::max<int64_t>(window.least, 1) - 1);
    const int64_t highest = HighestOf(at, next);
    if (highest != next[-1].value) kept.push_back({at->time, highest});
    kept.push_back(next[-1]);
    at = next;
  }
  return kept;
}

}  // namespace tfprof
