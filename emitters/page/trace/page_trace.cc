// SPDX-License-Identifier: Apache-2.0
#include "emitters/page/trace/page_trace.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/hash.h"
#include "emitters/printable.h"

namespace tfprof {

// Names of a trace are texts of its store: most spans find theirs by its address.
class PageNameIds {
 public:
  explicit PageNameIds(PageTexts* names) : names_(names) {}

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

template <class T>
struct PageReader {
  const Cursor<T> cursor;
  std::vector<T> part = std::vector<T>(1024);

  // Returns what the cursor gives at once; empty: the end.
  std::span<const T> Next() { return std::span(part).first(cursor ? cursor(part) : 0); }
};

namespace {

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

}  // namespace

class PageTraceMaker::Rows {
 public:
  explicit Rows(Trace trace)
      : earliest_(trace.earliest_ps),
        spans_{std::move(trace.spans)},
        samples_{std::move(trace.samples)},
        flows_{std::move(trace.flows)},
        name_ids_(&made_.names) {
    made_.groups = std::move(trace.groups);
    made_.tracks = std::move(trace.tracks);
    made_.counters = std::move(trace.counters);
    made_.samples.resize(made_.counters.size());
    made_.from = std::numeric_limits<int64_t>::max();
    for (const Note& note : trace.notes) made_.notes.push_back(note.what.Text());
  }

  // Returns false at the end.
  bool TakeNext() {
    const std::span<const TraceSpan> spans = spans_.Next();
    for (const TraceSpan& span : spans) TakeSpan(span);
    if (!spans.empty()) return true;
    EndTrack(made_.tracks.size());
    const std::span<const TraceSample> samples = samples_.Next();
    for (const TraceSample& sample : samples) TakeSample(sample);
    if (!samples.empty()) return true;
    const std::span<const TraceFlow> flows = flows_.Next();
    for (const TraceFlow& flow : flows) TakeFlow(flow);
    if (!flows.empty()) return true;
    made_.from = std::min(made_.from, made_.to);
    return false;
  }

  PageTrace& made() { return made_; }

 private:
  struct PlacedSpan {
    PageSpan span;
    uint32_t level = 0;  // of its track
    uint32_t depth = 0;  // in its level
  };

  int64_t SinceFirst(int64_t time_ps) const {
    return time_ps < earliest_ ? 0 : time_ps - earliest_;
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
  void TakeSpan(const TraceSpan& span) {
    if (span.track != made_.ready_tracks) EndTrack(span.track);
    if (span.level >= ends_.size()) ends_.resize(span.level + 1);
    const int64_t start = SinceFirst(span.start_ps);
    const size_t depth = PlaceBelow(start, start + span.duration_ps, &ends_[span.level]);
    placed_.Push({{start, span.duration_ps, name_ids_.Of(span.name), 1},
                  span.level,
                  static_cast<uint32_t>(depth)});
  }

  // Nothing follows on tracks before `next`.
  void EndTrack(size_t next) {
    if (placed_.size() > 0) AddRows(static_cast<uint32_t>(made_.ready_tracks));
    ends_.clear();
    made_.ready_tracks = next;
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

  void TakeSample(const TraceSample& sample) {
    const int64_t time = SinceFirst(sample.time_ps);
    made_.samples[sample.counter].push_back({time, sample.value});
    Covers(time, time);
  }

  void TakeFlow(const TraceFlow& flow) {
    made_.flows.Push(
        {flow.from_track, flow.to_track, SinceFirst(flow.from_ps), SinceFirst(flow.to_ps)});
  }

  void Covers(int64_t from, int64_t to) {
    made_.from = std::min(made_.from, from);
    made_.to = std::max(made_.to, to);
  }

  const int64_t earliest_;
  PageReader<TraceSpan> spans_;
  PageReader<TraceSample> samples_;
  PageReader<TraceFlow> flows_;
  PageTrace made_;
  PageNameIds name_ids_;
  size_t taken_ = 0;  // spans of all rows
  // Of the track that is not ready:
  std::vector<std::vector<int64_t>> ends_;  // by level and row: of the latest span there
  Column<PlacedSpan> placed_;
  Column<PageSpan> by_row_;
};

PageTraceMaker::PageTraceMaker(Trace trace) : rows_(std::make_unique<Rows>(std::move(trace))) {}
PageTraceMaker::~PageTraceMaker() = default;
PageTraceMaker::PageTraceMaker(PageTraceMaker&&) noexcept = default;
PageTraceMaker& PageTraceMaker::operator=(PageTraceMaker&&) noexcept = default;

Result<bool> PageTraceMaker::Prepare(std::chrono::steady_clock::time_point until,
                                     Context& context) {
  do {
    TFPROF_TRY(Poll(context));
    if (!rows_->TakeNext()) return true;
  } while (std::chrono::steady_clock::now() < until);
  return false;
}

const PageTrace& PageTraceMaker::made() const { return rows_->made(); }

Result<PageTrace> PageTraceMaker::Finish(Context& context) {
  TFPROF_TRY(Prepare(std::chrono::steady_clock::time_point::max(), context));
  return std::move(rows_->made());
}

size_t RowOf(const PageTrace& trace, size_t span) {
  const auto after = std::ranges::upper_bound(trace.rows, span, {}, &PageRow::first);
  return static_cast<size_t>(after - trace.rows.begin()) - 1;
}

}  // namespace tfprof
