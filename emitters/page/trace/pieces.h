// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "emitters/page/trace/page_trace.h"

// Levels of detail: short neighbors become one piece. Cost follows the number of pieces, not that
// of the spans that they stand for.

namespace tfprof {

// The part of a trace that a picture shows.
struct TraceWindow {
  int64_t from = 0;
  int64_t to = 0;
  int64_t least = 0;  // neighbors that are together shorter are one piece
};

// Pieces of a row, by start.
struct TracePieces {
  std::vector<PageSpan> spans;
  std::vector<size_t> firsts;  // the number in the trace of each, or of the first in it

  // Makes room for what so many rows have in the window at most; pages that are not written cost
  // nothing.
  void Reserve(const PageTrace& trace, size_t rows, const TraceWindow& window);
  // Adds what the spans [first, end) of a row have in the window; they are numbers in the trace.
  // The pieces do not join what is here.
  void Add(const PageTrace& trace, size_t row, size_t first, size_t end, const TraceWindow& window);
  // Adds what a row has in the window.
  void AddRow(const PageTrace& trace, size_t row, const TraceWindow& window);
};

// Returns the shortest TraceWindow::least with which the whole trace has about as many pieces as
// `most` or fewer. Error: cancelled.
Result<int64_t> LeastFor(const PageTrace& trace, size_t most, Context& context);

// Returns at most two samples for each `least` of time: the highest value and the last one.
std::vector<PageSample> SamplesIn(const std::vector<PageSample>& samples,
                                  const TraceWindow& window);

}  // namespace tfprof
