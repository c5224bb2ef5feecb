// SPDX-License-Identifier: Apache-2.0
// The block of a trace (emitters/page/block.h). Its header:
//
//   groups: [{name, label}], tracks: [{group, name}], notes: [...], from, to
//   ready: the tracks that have their rows; the others follow in another block
//   rows: [{track, first, count}]: spans [first, first + count) do not overlap, by start
//   spans: {count, all, single, named, min, start, length, name, covered}
//   counters: [{group, name, count, time, value}]
//   flows: {count, all, from, from_track, to, to_track}
//
// Times are in ps from the first start of the profile. In a row, a start is stored as the
// difference to the one before it; so are the times of a counter. A trace that was cut has the
// longest spans, and pieces that stand for shorter ones: `covered` is above 1, `min` above 0.
//
// The block of a window has `window`, {from, to, min, first, rows}; `rows` of it, {first, count},
// from the row `first` of the trace on; spans; and counters, {count, time, value} for each.
// `matched` is 1 for spans that a search finds.
#include "emitters/page/trace/block.h"

#include <algorithm>
#include <utility>

#include "emitters/page/block.h"
#include "emitters/page/trace/ran_in.h"

namespace tfprof {
namespace {

class PageTraceWriter : BlockWriter {
 public:
  PageTraceWriter(const PageTrace& trace, Context& context) : trace_(trace), context_(context) {}

  Result<std::string> WriteTrace(const PageTraceLimits& limits, const std::vector<bool>& keeps,
                                 PageTraceCounts* counts) {
    counts_ = {.all = trace_.spans.size(), .flows = trace_.flows.size()};
    TFPROF_TRY(TakePieces(limits.spans, keeps));
    TFPROF_TRY(Poll(context_));
    AddPlaces();
    Key("rows");
    Objects(rows_, [&](const PageRow& row) {
      Number("track", row.track);
      AddPlace(row);
    });
    AddSpans();
    TFPROF_TRY(Poll(context_));
    AddCounters(limits.samples);
    TFPROF_TRY(AddFlows(limits.flows));
    *counts = counts_;
    return Finish();
  }

  Result<std::string> WriteWindow(const TraceWindow& window, const PageRows& rows,
                                  const SpanMatches* matches) {
    pieces_.Reserve(trace_, rows.count, window);
    for (size_t i = 0; i < rows.count; ++i) {
      TFPROF_TRY(Poll(context_));
      const size_t row = rows.first + i, first = pieces_.spans.size();
      pieces_.AddRow(trace_, row, window);
      rows_.push_back({trace_.rows[row].track, first, pieces_.spans.size() - first});
    }
    if (matches != nullptr) {
      Key("matched");
      Integers(pieces_.spans.size(), [&](size_t i) {
        return int64_t{matches->HasIn(pieces_.firsts[i], pieces_.spans[i].covered)};
      });
    }
    Key("window");
    json += '{';
    Number("from", window.from);
    Number("to", window.to);
    Number("min", window.least);
    Number("first", static_cast<int64_t>(rows.first));
    Number("rows", static_cast<int64_t>(rows.count));
    json += '}';
    Key("rows");
    Objects(rows_, [&](const PageRow& row) { AddPlace(row); });
    AddSpans();
    Key("counters");
    Objects(trace_.samples, [&](const std::vector<PageSample>& samples) {
      AddSamples(SamplesIn(samples, window));
    });
    return Finish();
  }

  // Writes the flows of the spans of a track that begin in [from, to] or end there.
  Result<std::string> WriteFlows(uint32_t track, int64_t from, int64_t to) {
    constexpr size_t kMost = 200;  // as many as a picture draws
    std::vector<PageFlow> flows;
    const auto is_in = [&](uint32_t of, int64_t time) {
      return of == track && time >= from && time <= to;
    };
    for (size_t i = 0; i < trace_.flows.size() && flows.size() < kMost; ++i) {
      if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context_));
      const PageFlow& flow = trace_.flows[i];
      if (is_in(flow.from_track, flow.from) || is_in(flow.to_track, flow.to)) flows.push_back(flow);
    }
    AddFlowColumns(flows);
    return Finish();
  }

  Result<std::string> WriteRange(const std::vector<RanInRange>& ran) {
    Number("count", static_cast<int64_t>(ran.size()));
    const auto add = [&](std::string_view key, auto value_of) {
      Key(key);
      Integers(ran.size(), [&](size_t i) { return int64_t{value_of(ran[i])}; });
    };
    add("name", [&](const RanInRange& one) { return NameHere(one.name); });
    add("group", [&](const RanInRange& one) { return one.group; });
    add("spans", [](const RanInRange& one) { return one.count; });
    add("time", [](const RanInRange& one) { return one.time; });
    add("longest", [](const RanInRange& one) { return one.longest; });
    return Finish();
  }

 private:
  // The spans that the names select, the longest first to go if there are more than `most`; by
  // number.
  std::vector<uint32_t> NamedSpans(size_t most, const std::vector<bool>& keeps) const {
    std::vector<uint32_t> named;
    for (size_t i = 0; !keeps.empty() && i < trace_.spans.size(); ++i) {
      if (keeps[trace_.spans.NameOf(i)]) named.push_back(static_cast<uint32_t>(i));
    }
    if (named.size() <= most) return named;
    const auto end = named.begin() + static_cast<ptrdiff_t>(most);
    std::nth_element(named.begin(), end, named.end(), [&](uint32_t a, uint32_t b) {
      const int64_t left = trace_.spans[a].length, right = trace_.spans[b].length;
      return left != right ? left > right : a < b;
    });
    named.erase(end, named.end());
    std::ranges::sort(named);
    return named;
  }

  // Takes all spans, or about as many pieces as `most`. Each span whose name is kept divides a
  // piece.
  Result<void> TakePieces(size_t most, const std::vector<bool>& keeps) {
    const bool is_cut = trace_.spans.size() > most;
    const std::vector<uint32_t> named =
        is_cut ? NamedSpans(most / 4, keeps) : std::vector<uint32_t>();
    TraceWindow window{trace_.from, trace_.to, 0};
    TFPROF_ASSIGN(window.least, LeastFor(trace_, most - 2 * named.size(), context_));
    auto next_named = named.begin();
    for (size_t at = 0; at < trace_.rows.size(); ++at) {
      TFPROF_TRY(Poll(context_));
      const PageRow& row = trace_.rows[at];
      const size_t first_piece = pieces_.spans.size(), end = row.first + row.count;
      size_t first = row.first;
      for (; next_named != named.end() && *next_named < end; ++next_named) {
        pieces_.Add(trace_, at, first, *next_named, window);
        pieces_.Add(trace_, at, *next_named, *next_named + 1, window);
        first = *next_named + 1;
      }
      pieces_.Add(trace_, at, first, end, window);
      rows_.push_back({row.track, first_piece, pieces_.spans.size() - first_piece});
    }
    least_ = window.least;
    counts_.named = named.size();
    counts_.kept =
        static_cast<size_t>(std::ranges::count(pieces_.spans, uint32_t{1}, &PageSpan::covered));
    return {};
  }

  // The number of a name in this block.
  int64_t NameHere(uint32_t name) {
    if (ids_.empty()) ids_.assign(trace_.names.texts.size(), -1);
    int64_t& id = ids_[name];
    if (id < 0) id = texts_.Id(*trace_.names.texts[name]);
    return id;
  }

  void AddPlaces() {
    Number("from", std::min(trace_.from, trace_.to));
    Number("to", trace_.to);
    Number("ready", static_cast<int64_t>(trace_.ready_tracks));
    Key("groups");
    Objects(trace_.groups, [&](const TraceGroup& group) {
      Member("name", group.name);
      Member("label", group.label);
    });
    Key("tracks");
    Objects(trace_.tracks, [&](const TraceTrack& track) {
      Number("group", track.group);
      Member("name", track.name);
    });
    List("notes", trace_.notes);
  }

  void AddPlace(const PageRow& row) {
    Number("first", static_cast<int64_t>(row.first));
    Number("count", static_cast<int64_t>(row.count));
  }

  void AddSpans() {
    const std::vector<PageSpan>& spans = pieces_.spans;
    constexpr size_t kBytesOfSpan = 12;  // rarely more
    bytes_.data.reserve(bytes_.data.size() + kBytesOfSpan * spans.size());
    std::vector<int64_t> starts(spans.size());
    for (const PageRow& row : rows_) {
      for (size_t i = row.first; i < row.first + row.count; ++i) {
        starts[i] = spans[i].start - (i == row.first ? 0 : spans[i - 1].start);
      }
    }
    Key("spans");
    json += '{';
    Number("count", static_cast<int64_t>(spans.size()));
    Number("all", static_cast<int64_t>(trace_.spans.size()));
    Number("single", static_cast<int64_t>(counts_.kept));
    Number("named", static_cast<int64_t>(counts_.named));
    Number("min", least_);
    Key("start");
    Place(bytes_.AddIntegers(starts));
    Key("length");
    Integers(spans.size(), [&](size_t i) { return spans[i].length; });
    Key("name");
    Integers(spans.size(), [&](size_t i) { return NameHere(spans[i].name); });
    Key("covered");
    Integers(spans.size(), [&](size_t i) { return int64_t{spans[i].covered}; });
    json += '}';
  }

  void AddSamples(const std::vector<PageSample>& samples) {
    Number("count", static_cast<int64_t>(samples.size()));
    Key("time");
    Integers(samples.size(),
             [&](size_t i) { return samples[i].time - (i > 0 ? samples[i - 1].time : 0); });
    Key("value");
    Integers(samples.size(), [&](size_t i) { return samples[i].value; });
  }

  // Of a counter with more samples than `most`, the highest values.
  void AddCounters(size_t most) {
    Key("counters");
    Objects(trace_.counters, [&](const TraceCounter& counter) {
      const auto& own = trace_.samples[static_cast<size_t>(&counter - trace_.counters.data())];
      const size_t pieces = most / trace_.counters.size() / 2 + 1;
      Number("group", counter.group);
      Member("name", counter.name);
      if (own.size() / 2 <= pieces) {
        AddSamples(own);
        return;
      }
      const int64_t least = (trace_.to - trace_.from) / static_cast<int64_t>(pieces);
      AddSamples(SamplesIn(own, {trace_.from, trace_.to, least}));
      counts_.are_counters_cut = true;
    });
  }

  // Returns the length of the span here that has a time on a track; -1: it is in no span, or in a
  // piece of several.
  int64_t LengthAt(uint32_t track, int64_t time) const {
    auto row = std::ranges::lower_bound(rows_, track, {}, &PageRow::track);
    for (; row != rows_.end() && row->track == track; ++row) {
      const PageSpan* const first = pieces_.spans.data() + row->first;
      const PageSpan* const after =
          std::upper_bound(first, first + row->count, time,
                           [](int64_t at, const PageSpan& span) { return at < span.start; });
      if (after != first && after[-1].End() >= time && after[-1].covered == 1) {
        return after[-1].length;
      }
    }
    return -1;
  }

  // Of a trace that was cut, flows of spans that are here; of too many, those of the longest.
  Result<void> AddFlows(size_t most) {
    std::vector<PageFlow> flows;
    if (least_ == 0 && trace_.flows.size() <= most) {
      flows.assign(trace_.flows.begin(), trace_.flows.end());
      counts_.flows_kept = flows.size();
      AddFlowColumns(flows);
      return {};
    }
    std::vector<std::pair<int64_t, size_t>> by_length;  // of the longer span; of `flows`
    for (size_t i = 0; i < trace_.flows.size(); ++i) {
      if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context_));
      const PageFlow& flow = trace_.flows[i];
      const int64_t length =
          std::max(LengthAt(flow.from_track, flow.from), LengthAt(flow.to_track, flow.to));
      if (length < 0) continue;
      by_length.push_back({-length, flows.size()});
      flows.push_back(flow);
    }
    if (flows.size() > most) {
      const auto end = by_length.begin() + static_cast<ptrdiff_t>(most);
      std::nth_element(by_length.begin(), end, by_length.end());
      by_length.erase(end, by_length.end());
      std::ranges::sort(by_length, {}, &std::pair<int64_t, size_t>::second);
      for (size_t i = 0; i < most; ++i) flows[i] = flows[by_length[i].second];
      flows.resize(most);
    }
    counts_.flows_kept = flows.size();
    AddFlowColumns(flows);
    return {};
  }

  void AddFlowColumns(const std::vector<PageFlow>& flows) {
    Key("flows");
    json += '{';
    Number("count", static_cast<int64_t>(flows.size()));
    Number("all", static_cast<int64_t>(trace_.flows.size()));
    const auto add = [&](std::string_view key, auto value_of) {
      Key(key);
      Integers(flows.size(), [&](size_t i) { return int64_t{value_of(flows[i])}; });
    };
    add("from", [](const PageFlow& flow) { return flow.from; });
    add("from_track", [](const PageFlow& flow) { return flow.from_track; });
    add("to", [](const PageFlow& flow) { return flow.to; });
    add("to_track", [](const PageFlow& flow) { return flow.to_track; });
    json += '}';
  }

  const PageTrace& trace_;
  Context& context_;
  TracePieces pieces_;
  std::vector<PageRow> rows_;  // of the pieces
  int64_t least_ = 0;
  PageTraceCounts counts_;
  std::vector<int64_t> ids_;  // of names in this block; -1: not yet
};

}  // namespace

Result<std::string> TraceBlock(const PageTrace& trace, const PageTraceLimits& limits,
                               const std::vector<bool>& keeps, PageTraceCounts* counts,
                               Context& context) {
  return PageTraceWriter(trace, context).WriteTrace(limits, keeps, counts);
}

Result<std::string> TraceWindowBlock(const PageTrace& trace, const TraceWindow& window,
                                     const PageRows& rows, const SpanMatches* matches,
                                     Context& context) {
  return PageTraceWriter(trace, context).WriteWindow(window, rows, matches);
}

Result<std::string> TraceFlowsBlock(const PageTrace& trace, uint32_t track, int64_t from,
                                    int64_t to, Context& context) {
  return PageTraceWriter(trace, context).WriteFlows(track, from, to);
}

Result<std::string> TraceRangeBlock(const PageTrace& trace, int64_t from, int64_t to,
                                    Context& context) {
  TFPROF_ASSIGN(const std::vector<RanInRange> ran, RanIn(trace, from, to, context));
  return PageTraceWriter(trace, context).WriteRange(ran);
}

}  // namespace tfprof
