// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "emitters/page/trace/matches.h"
#include "emitters/page/trace/page_trace.h"
#include "emitters/page/trace/pieces.h"

// Traces, and answers about them, as blocks (emitters/page/block.h). block.cc documents their
// headers. Error of all: cancelled.

namespace tfprof {

// How much of a trace a block has; each is met nearly.
struct PageTraceLimits {
  size_t spans = std::numeric_limits<size_t>::max();
  size_t flows = std::numeric_limits<size_t>::max();
  size_t samples = std::numeric_limits<size_t>::max();
};

struct PageTraceCounts {
  size_t all = 0;    // spans of the trace
  size_t kept = 0;   // of them in the block, one by one; the shorter others are in pieces
  size_t named = 0;  // of these, those kept for their names
  size_t flows = 0;
  size_t flows_kept = 0;
  bool are_counters_cut = false;  // not all of their samples are here

  bool IsWhole() const { return kept == all && flows_kept == flows && !are_counters_cut; }
};

// Returns a trace. If it was cut, it has the longest spans, and the longest of those whose name
// `keeps` (by PageTrace::names; empty: none), as up to a quarter of the limit.
Result<std::string> TraceBlock(const PageTrace& trace, const PageTraceLimits& limits,
                               const std::vector<bool>& keeps, PageTraceCounts* counts,
                               Context& context);

// Rows [first, first + count).
struct PageRows {
  size_t first = 0;
  size_t count = 0;
};

// Returns what some rows of a trace have in a window. `matches`: marks the spans that have some;
// null: none.
Result<std::string> TraceWindowBlock(const PageTrace& trace, const TraceWindow& window,
                                     const PageRows& rows, const SpanMatches* matches,
                                     Context& context);

// Returns flows that begin or end on a track from `from` to `to`. The header is {flows}.
Result<std::string> TraceFlowsBlock(const PageTrace& trace, uint32_t track, int64_t from,
                                    int64_t to, Context& context);

// Returns what ran from `from` to `to`: the header is {count, name, group, spans, time, longest},
// columns of the sums by name.
Result<std::string> TraceRangeBlock(const PageTrace& trace, int64_t from, int64_t to,
                                    Context& context);

}  // namespace tfprof
