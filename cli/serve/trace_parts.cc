// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/trace_parts.h"

#include <algorithm>
#include <charconv>

#include "emitters/data/json_members.h"
#include "emitters/page/trace/block.h"

namespace tfprof {
namespace {

// A larger trace is sent in windows: it would take browsers too much memory as a whole. First comes
// all of it in few pieces.
constexpr size_t kMostSpansAtOnce = 1'000'000;
constexpr PageTraceLimits kFirstPieces = {.spans = 200'000, .flows = 0, .samples = 100'000};
constexpr PageTraceLimits kUntilReady = {.spans = 50'000, .flows = 0, .samples = 0};

Result<int64_t> NumberIn(const HttpRequest& request, const std::string& key) {
  const auto text = request.values.find(key);
  if (text == request.values.end()) return UsageError("no value of " + key);
  int64_t number = 0;
  const char* const end = text->second.data() + text->second.size();
  const auto [read, failed] = std::from_chars(text->second.data(), end, number);
  if (failed != std::errc() || read != end || number < 0) {
    return UsageError(key + " is not a number from 0");
  }
  return number;
}

// How many spans a search finds, and the next one after a span.
Result<std::string> FoundIn(const PageTrace& trace, const SpanMatches& matches,
                            const HttpRequest& request) {
  JsonMembers found;
  found.Number("count", matches.count);
  int64_t from = request.values.contains("back") ? static_cast<int64_t>(trace.spans.size()) : -1;
  if (request.values.contains("row")) {
    TFPROF_ASSIGN(const int64_t row, NumberIn(request, "row"));
    TFPROF_ASSIGN(const int64_t start, NumberIn(request, "start"));
    int64_t at = 0;  // among the spans of the row with that start
    if (request.values.contains("nth")) {
      TFPROF_ASSIGN(at, NumberIn(request, "nth"));
    }
    if (static_cast<size_t>(row) >= trace.rows.size()) return UsageError("no such row");
    const PageRow& of = trace.rows[static_cast<size_t>(row)];
    const auto after = [&](int64_t time) {
      return static_cast<int64_t>(trace.spans.After(
          of.first, of.first + of.count, [&](const PageSpan& span) { return span.start < time; }));
    };
    const int64_t same = after(start), last = std::max(after(start + 1) - 1, same);
    from = std::min(same + at, last);
  }
  const int64_t next = matches.Next(from, request.values.contains("back"));
  if (next >= 0) {
    const PageSpan span = trace.spans[static_cast<size_t>(next)];
    const size_t row = RowOf(trace, static_cast<size_t>(next));
    int64_t nth = 0;  // spans without length may have one start
    while (next - nth > static_cast<int64_t>(trace.rows[row].first) &&
           trace.spans[static_cast<size_t>(next - nth - 1)].start == span.start) {
      ++nth;
    }
    found.Number("row", static_cast<int64_t>(row));
    found.Number("start", span.start);
    found.Number("nth", nth);
    found.Number("length", span.length);
  }
  return found.json + '}';
}

}  // namespace

Result<std::string> PartOfTrace(const PageTrace& trace, std::string_view kind,
                                const HttpRequest& request, const SpanMatches* matches,
                                Context& context) {
  if (kind == "trace" && request.values.empty()) {
    PageTraceLimits limits;
    if (trace.spans.size() > kMostSpansAtOnce) limits = kFirstPieces;
    if (trace.ready_tracks < trace.tracks.size()) limits = kUntilReady;
    PageTraceCounts counts;
    return TraceBlock(trace, limits, {}, &counts, context);
  }
  if (kind == "search") {
    return matches != nullptr ? FoundIn(trace, *matches, request) : UsageError("no value of text");
  }
  TFPROF_ASSIGN(const int64_t from, NumberIn(request, "from"));
  TFPROF_ASSIGN(const int64_t to, NumberIn(request, "to"));
  if (kind == "range") return TraceRangeBlock(trace, from, to, context);
  if (kind == "flows") {
    TFPROF_ASSIGN(const int64_t track, NumberIn(request, "track"));
    return TraceFlowsBlock(trace, static_cast<uint32_t>(track), from, to, context);
  }
  TFPROF_ASSIGN(const int64_t least, NumberIn(request, "min"));
  TFPROF_ASSIGN(const int64_t first, NumberIn(request, "first"));
  TFPROF_ASSIGN(const int64_t rows, NumberIn(request, "rows"));
  PageRows of;
  of.first = std::min(static_cast<size_t>(first), trace.rows.size());
  of.count = std::min(static_cast<size_t>(rows), trace.rows.size() - of.first);
  // As many pieces as no screen has: an answer has an end.
  constexpr int64_t kMostPieces = 20'000;
  const int64_t fewest = (std::min(to, trace.to) - std::max(from, trace.from)) / kMostPieces;
  return TraceWindowBlock(trace, {from, to, std::max(least, fewest)}, of, matches, context);
}

}  // namespace tfprof
