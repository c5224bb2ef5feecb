// SPDX-License-Identifier: Apache-2.0
#include "emitters/page/trace/spans.h"

#include <re2/re2.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/hash.h"
#include "emitters/emitter.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

class PageTraceMaker {
 public:
  PageTraceMaker(const Trace& trace, Context& context) : trace_(trace), context_(context) {}

  Result<PageTrace> Make() {
    made_.groups = trace_.groups;
    made_.tracks = trace_.tracks;
    made_.counters = trace_.counters;
    for (const Note& note : trace_.notes) made_.notes.push_back(note.what.Text());
    TFPROF_TRY(TakeSpans());
    TFPROF_TRY(Poll(context_));
    MakeRows();
    TFPROF_TRY(Poll(context_));
    MakeChunks();
    TFPROF_TRY(TakeSamples());
    TFPROF_TRY(TakeFlows());
    FindEnds();
    return std::move(made_);
  }

 private:
  struct PlacedSpan {
    PageSpan span;
    uint32_t track = 0;
    uint32_t row = 0;  // within its track
  };

  int64_t SinceFirst(int64_t time_ps) const {
    return time_ps < trace_.earliest_ps ? 0 : time_ps - trace_.earliest_ps;
  }

  uint32_t NameOf(std::string_view name) {
    const auto known = ids_.find(name);
    if (known != ids_.end()) return known->second;
    const auto id = static_cast<uint32_t>(made_.names.Id(PrintableText(name)));
    ids_.emplace(name, id);
    return id;
  }

  // Returns the row of a span: below all around it, in the first that is free there. Spans that
  // overlap without nesting thus share few rows, however many follow each other.
  static size_t PlaceBelow(int64_t start, int64_t end, std::vector<int64_t>* ends) {
    constexpr size_t kMostLooked = 256;  // each span looks at few rows
    while (!ends->empty() && ends->back() <= start) ends->pop_back();
    size_t row = ends->size();
    const size_t least = row - std::min(row, kMostLooked);
    while (row > least && (*ends)[row - 1] < end) --row;
    while (row < ends->size() && (*ends)[row] > start) ++row;
    if (row == ends->size()) ends->push_back(0);
    (*ends)[row] = end;
    return row;
  }

  // Spans within others go into rows below them; levels of a track are rows of their own.
  Result<void> TakeSpans() {
    std::vector<int64_t> ends;  // by row: of the latest span there
    uint32_t track = 0, level = 0;
    return EachRow(trace_.spans, context_, [&](const TraceSpan& span) -> Result<void> {
      const int64_t start = SinceFirst(span.start_ps);
      if (span.track != track || span.level != level) ends.clear();
      track = span.track;
      level = span.level;
      const auto depth = static_cast<uint32_t>(PlaceBelow(start, start + span.duration_ps, &ends));
      placed_.push_back({{start, span.duration_ps, NameOf(span.name), 1}, track, level + depth});
      return {};
    });
  }

  // Spans come by track, nearly by start: counting them by row orders most of them.
  void MakeRows() {
    std::vector<size_t> first(made_.tracks.size() + 1, 0);  // row of each track, empty ones too
    for (const PlacedSpan& placed : placed_) {
      first[placed.track + 1] = std::max(first[placed.track + 1], size_t{placed.row} + 1);
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<size_t> next(first.back() + 1, 0);  // place of a row's next span
    for (const PlacedSpan& placed : placed_) ++next[first[placed.track] + placed.row + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (uint32_t track = 0; track < made_.tracks.size(); ++track) {
      for (size_t row = first[track]; row < first[track + 1]; ++row) {
        const size_t count = next[row + 1] - next[row];
        if (count > 0) made_.rows.push_back({track, next[row], count});
      }
    }
    made_.spans.resize(placed_.size());
    for (const PlacedSpan& placed : placed_) {
      made_.spans[next[first[placed.track] + placed.row]++] = placed.span;
    }
    placed_ = {};
    for (const PageRow& row : made_.rows) {
      const auto spans = std::span(made_.spans).subspan(row.first, row.count);
      if (!std::ranges::is_sorted(spans, {}, &PageSpan::start)) {
        std::ranges::stable_sort(spans, {}, &PageSpan::start);
      }
    }
  }

  void MakeChunks() {
    for (const PageRow& row : made_.rows) {
      std::vector<SpanChunk>& chunks = made_.chunks.emplace_back();
      for (size_t i = 0; i < row.count; ++i) {
        const PageSpan& span = made_.spans[row.first + i];
        if (i % kSpansPerChunk == 0) {
          chunks.push_back({span.length, 0, span.name});
          continue;
        }
        SpanChunk& chunk = chunks.back();
        const PageSpan& before = made_.spans[row.first + i - 1];
        chunk.longest_gap = std::max(chunk.longest_gap, span.start - before.start - before.length);
        if (span.length <= chunk.longest) continue;
        chunk.longest = span.length;
        chunk.name = span.name;
      }
    }
  }

  Result<void> TakeSamples() {
    made_.samples.resize(made_.counters.size());
    return EachRow(trace_.samples, context_, [&](const TraceSample& sample) -> Result<void> {
      made_.samples[sample.counter].push_back({SinceFirst(sample.time_ps), sample.value});
      return {};
    });
  }

  Result<void> TakeFlows() {
    return EachRow(trace_.flows, context_, [&](const TraceFlow& flow) -> Result<void> {
      made_.flows.push_back(
          {flow.from_track, flow.to_track, SinceFirst(flow.from_ps), SinceFirst(flow.to_ps)});
      return {};
    });
  }

  void FindEnds() {
    int64_t from = std::numeric_limits<int64_t>::max(), to = 0;
    for (const PageRow& row : made_.rows) {
      from = std::min(from, made_.spans[row.first].start);
      for (size_t i = row.first; i < row.first + row.count; ++i) {
        to = std::max(to, made_.spans[i].start + made_.spans[i].length);
      }
    }
    for (const std::vector<PageSample>& samples : made_.samples) {
      if (samples.empty()) continue;
      from = std::min(from, samples.front().time);
      to = std::max(to, samples.back().time);
    }
    made_.from = std::min(from, to);
    made_.to = to;
  }

  const Trace& trace_;
  Context& context_;
  PageTrace made_;
  std::vector<PlacedSpan> placed_;
  std::unordered_map<std::string, uint32_t, HashText, std::equal_to<>> ids_;  // by raw name
};

// Joins a span or a run of them with those before it, if both are short and close. Returns false if
// it stays apart.
bool Join(const PageSpan& next, int64_t longest, const TraceWindow& window, int64_t* longest_before,
          std::vector<PageSpan>* spans) {
  if (!spans->empty() && longest < window.least && *longest_before < window.least) {
    PageSpan& last = spans->back();
    if (next.start - last.start - last.length < window.least) {
      if (longest > *longest_before) last.name = next.name;
      *longest_before = std::max(*longest_before, longest);
      last.length = next.start + next.length - last.start;
      last.covered += next.covered;
      return true;
    }
  }
  spans->push_back(next);
  *longest_before = longest;
  return false;
}

}  // namespace

Result<PageTrace> PageTrace::Of(const Trace& trace, Context& context) {
  return PageTraceMaker(trace, context).Make();
}

std::vector<PageSpan> SpansIn(const PageTrace& trace, size_t row_at, const TraceWindow& window,
                              std::vector<size_t>* firsts) {
  const PageRow& row = trace.rows[row_at];
  const PageSpan* const first = trace.spans.data() + row.first;
  const PageSpan* const end = first + row.count;
  const PageSpan* span = std::partition_point(
      first, end, [&](const PageSpan& one) { return one.start + one.length < window.from; });
  std::vector<PageSpan> spans;
  int64_t longest_before = 0;
  while (span != end && span->start <= window.to) {
    const auto at = static_cast<size_t>(span - first);
    const SpanChunk& chunk = trace.chunks[row_at][at / kSpansPerChunk];
    const PageSpan* next = span + 1;
    PageSpan shown = *span;
    int64_t longest = span->length;
    if (at % kSpansPerChunk == 0 && chunk.longest < window.least &&
        chunk.longest_gap < window.least) {
      next = std::min(span + kSpansPerChunk, end);
      shown = {span->start, next[-1].start + next[-1].length - span->start, chunk.name,
               static_cast<uint32_t>(next - span)};
      longest = chunk.longest;
    }
    const bool joined = Join(shown, longest, window, &longest_before, &spans);
    if (firsts != nullptr && !joined) firsts->push_back(row.first + at);
    span = next;
  }
  return spans;
}

Result<SpanMatches> SpanMatches::Of(const PageTrace& trace, const std::string& text,
                                    Context& context) {
  const bool is_expression = text.size() > 2 && text.starts_with('/') && text.ends_with('/');
  RE2::Options options;
  options.set_case_sensitive(false);
  options.set_log_errors(false);
  options.set_literal(!is_expression);
  const RE2 expression(is_expression ? text.substr(1, text.size() - 2) : text, options);
  if (!expression.ok()) return UsageError("invalid expression " + text + ": " + expression.error());
  std::vector<bool> fits;
  for (const std::string* name : trace.names.texts) {
    TFPROF_TRY(Poll(context));
    fits.push_back(RE2::PartialMatch(*name, expression));
  }
  SpanMatches matches;
  for (size_t i = 0; i < trace.spans.size(); ++i) {
    if (fits[trace.spans[i].name]) matches.spans.push_back(static_cast<uint32_t>(i));
  }
  return matches;
}

bool SpanMatches::HasIn(size_t first, size_t count) const {
  const auto found = std::ranges::lower_bound(spans, first);
  return found != spans.end() && *found < first + count;
}

int64_t SpanMatches::Next(int64_t span, bool back) const {
  if (spans.empty()) return -1;
  if (back) {
    const auto found = std::ranges::lower_bound(spans, span);
    return found == spans.begin() ? spans.back() : *(found - 1);
  }
  const auto found = std::ranges::upper_bound(spans, span);
  return found == spans.end() ? spans.front() : *found;
}

size_t RowOf(const PageTrace& trace, size_t span) {
  const auto after = std::ranges::upper_bound(trace.rows, span, {}, &PageRow::first);
  return static_cast<size_t>(after - trace.rows.begin()) - 1;
}

Result<std::vector<RanInRange>> RanIn(const PageTrace& trace, int64_t from, int64_t to,
                                      Context& context) {
  std::unordered_map<uint64_t, RanInRange> sums;
  for (const PageRow& row : trace.rows) {
    TFPROF_TRY(Poll(context));
    const uint32_t group = trace.tracks[row.track].group;
    const auto first = trace.spans.begin() + static_cast<ptrdiff_t>(row.first);
    const auto end = first + static_cast<ptrdiff_t>(row.count);
    auto span = std::partition_point(
        first, end, [&](const PageSpan& one) { return one.start + one.length <= from; });
    for (; span != end && span->start < to; ++span) {
      RanInRange& sum = sums[uint64_t{group} << 32 | span->name];
      sum.group = group;
      sum.name = span->name;
      ++sum.count;
      sum.time += std::min(span->start + span->length, to) - std::max(span->start, from);
      sum.longest = std::max(sum.longest, span->length);
    }
  }
  std::vector<RanInRange> ran;
  for (const auto& [key, sum] : sums) ran.push_back(sum);
  std::ranges::sort(ran, [](const RanInRange& a, const RanInRange& b) {
    if (a.time != b.time) return a.time > b.time;
    return a.group != b.group ? a.group < b.group : a.name < b.name;
  });
  return ran;
}

}  // namespace tfprof
