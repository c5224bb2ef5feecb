// SPDX-License-Identifier: Apache-2.0
#include "emitters/page/trace/page_trace.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/hash.h"
#include "emitters/emitter.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

// Names of a trace are texts of its store: most spans find theirs by its address.
class NameIds {
 public:
  explicit NameIds(PageTexts* names) : names_(names) {}

  uint32_t Of(std::string_view name) {
    const auto address = reinterpret_cast<uintptr_t>(name.data());
    Known& recent = recent_[HashPair(address, name.size()) % recent_.size()];
    if (recent.name == name && recent.name.data() != nullptr) return recent.id;
    const auto [known, is_new] = ids_.try_emplace(std::string(name), 0);
    if (is_new) known->second = static_cast<uint32_t>(names_->Id(PrintableText(name)));
    recent = {known->first, known->second};
    return recent.id;
  }

 private:
  struct Known {
    std::string_view name;
    uint32_t id = 0;
  };

  PageTexts* names_;
  std::unordered_map<std::string, uint32_t> ids_;
  std::vector<Known> recent_ = std::vector<Known>(size_t{1} << 14);
};

ChunkLevels ChunksOf(std::span<const PageSpan> spans) {
  ChunkLevels levels;
  const auto add_level = [&](const auto& below, auto chunk_of) {
    std::vector<SpanChunk> level;
    level.reserve(below.size() / kSpansPerChunk + 1);
    for (size_t i = 0; i < below.size(); ++i) {
      const SpanChunk one = chunk_of(below[i]);
      if (i % kSpansPerChunk == 0) {
        level.push_back(one);
        continue;
      }
      SpanChunk& chunk = level.back();
      chunk.end = one.end;
      if (one.longest <= chunk.longest) continue;
      chunk.longest = one.longest;
      chunk.name = one.name;
    }
    levels.push_back(std::move(level));
  };
  if (spans.size() > 1) {
    add_level(spans, [](const PageSpan& span) {
      return SpanChunk{span.End(), span.length, span.name};
    });
  }
  while (!levels.empty() && levels.back().size() > 1) {
    const std::vector<SpanChunk> below = levels.back();
    add_level(below, [](const SpanChunk& chunk) { return chunk; });
  }
  return levels;
}

class PageTraceMaker {
 public:
  PageTraceMaker(const Trace& trace, Context& context)
      : trace_(trace), context_(context), name_ids_(&made_.names) {
    made_.from = std::numeric_limits<int64_t>::max();
  }

  Result<PageTrace> Make() {
    made_.groups = trace_.groups;
    made_.tracks = trace_.tracks;
    made_.counters = trace_.counters;
    for (const Note& note : trace_.notes) made_.notes.push_back(note.what.Text());
    TFPROF_TRY(TakeSpans());
    made_.spans.Finish();
    TFPROF_TRY(TakeSamples());
    TFPROF_TRY(TakeFlows());
    made_.from = std::min(made_.from, made_.to);
    return std::move(made_);
  }

 private:
  struct PlacedSpan {
    PageSpan span;
    uint32_t level = 0;  // of its track
    uint32_t depth = 0;  // in its level
  };

  int64_t SinceFirst(int64_t time_ps) const {
    return time_ps < trace_.earliest_ps ? 0 : time_ps - trace_.earliest_ps;
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

  // Spans within others go into rows below them; levels of a track have rows of their own.
  Result<void> TakeSpans() {
    std::vector<std::vector<int64_t>> ends;  // by level and row: of the latest span there
    uint32_t track = 0;
    TFPROF_TRY(EachRow(trace_.spans, context_, [&](const TraceSpan& span) -> Result<void> {
      if (span.track != track) {
        AddRows(track);
        ends.clear();
        track = span.track;
      }
      if (span.level >= ends.size()) ends.resize(span.level + 1);
      const int64_t start = SinceFirst(span.start_ps);
      const size_t depth = PlaceBelow(start, start + span.duration_ps, &ends[span.level]);
      placed_.Push({{start, span.duration_ps, name_ids_.Of(span.name), 1},
                    span.level,
                    static_cast<uint32_t>(depth)});
      return {};
    }));
    AddRows(track);
    return {};
  }

  // Adds the rows of a track, whose spans were placed by start.
  void AddRows(uint32_t track) {
    std::vector<std::vector<size_t>> next;  // by level and row: spans, then the next one's place
    for (const PlacedSpan& placed : placed_) {
      if (placed.level >= next.size()) next.resize(placed.level + 1);
      std::vector<size_t>& level = next[placed.level];
      if (placed.depth >= level.size()) level.resize(placed.depth + 1);
      ++level[placed.depth];
    }
    const size_t first_row = made_.rows.size(), before = taken_;
    for (std::vector<size_t>& level : next) {
      for (size_t& count : level) {
        made_.rows.push_back({track, taken_, count});
        taken_ += std::exchange(count, taken_ - before);
      }
    }
    by_row_.Clear();
    by_row_.Extend(placed_.size());
    for (const PlacedSpan& placed : placed_) {
      by_row_[next[placed.level][placed.depth]++] = placed.span;
    }
    placed_.Clear();
    for (size_t row = first_row; row < made_.rows.size(); ++row) {
      const PageRow& of = made_.rows[row];
      const std::span<const PageSpan> spans = by_row_.Rows(of.first - before, of.count);
      made_.chunks.push_back(ChunksOf(spans));
      Covers(spans.front().start, spans.back().End());
    }
    made_.spans.Add(by_row_.Rows(0, by_row_.size()));
  }

  Result<void> TakeSamples() {
    made_.samples.resize(made_.counters.size());
    return EachRow(trace_.samples, context_, [&](const TraceSample& sample) -> Result<void> {
      const int64_t time = SinceFirst(sample.time_ps);
      made_.samples[sample.counter].push_back({time, sample.value});
      Covers(time, time);
      return {};
    });
  }

  Result<void> TakeFlows() {
    return EachRow(trace_.flows, context_, [&](const TraceFlow& flow) -> Result<void> {
      made_.flows.Push(
          {flow.from_track, flow.to_track, SinceFirst(flow.from_ps), SinceFirst(flow.to_ps)});
      return {};
    });
  }

  void Covers(int64_t from, int64_t to) {
    made_.from = std::min(made_.from, from);
    made_.to = std::max(made_.to, to);
  }

  const Trace& trace_;
  Context& context_;
  PageTrace made_;
  NameIds name_ids_;
  // Of one track:
  Column<PlacedSpan> placed_;
  Column<PageSpan> by_row_;
  size_t taken_ = 0;  // spans of all rows
};

}  // namespace

Result<PageTrace> PageTrace::Of(const Trace& trace, Context& context) {
  return PageTraceMaker(trace, context).Make();
}

size_t RowOf(const PageTrace& trace, size_t span) {
  const auto after = std::ranges::upper_bound(trace.rows, span, {}, &PageRow::first);
  return static_cast<size_t>(after - trace.rows.begin()) - 1;
}

}  // namespace tfprof
