// SPDX-License-Identifier: Apache-2.0
// The block of a trace (emitters/page/block.h). Its header:
//
//   groups: [{name, label}], tracks: [{group, name}], notes: [...]
//   rows: [{track, first, count}]: spans [first, first + count) do not overlap, by start
//   spans: {count, all, start, length, name}; counters: [{group, name, peak, count, time, value}]
//   flows: {count, name, from, from_track, to, to_track}
//
// Times are in ps from the first start of the profile. In a row, a start is stored as the
// difference to the one before it; so are the times of a counter.
#include <algorithm>

#include "emitters/emitter.h"
#include "emitters/page/block.h"
#include "emitters/page/page.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

struct PageSpan {
  int64_t start = 0;  // ps from the first start
  int64_t length = 0;
  uint32_t name = 0;
  uint32_t track = 0;
  uint32_t row = 0;  // within its track
};

class PageTraceWriter : BlockWriter {
 public:
  PageTraceWriter(const Trace& trace, size_t most_spans, PageTraceCounts* counts, Context& context)
      : trace_(trace), most_(most_spans), counts_(counts), context_(context) {}

  Result<std::string> Write() {
    AddPlaces();
    TFPROF_TRY(TakeSpans());
    TFPROF_TRY(AddSpans());
    TFPROF_TRY(AddCounters());
    TFPROF_TRY(AddFlows());
    return Finish();
  }

 private:
  void AddPlaces() {
    Key("groups");
    AppendJsonList(trace_.groups, &header_, [&](const TraceGroup& group) {
      header_ += '{';
      Member("name", group.name);
      Member("label", group.label);
      header_ += '}';
    });
    Key("tracks");
    AppendJsonList(trace_.tracks, &header_, [&](const TraceTrack& track) {
      header_ += '{';
      Number("group", track.group);
      Member("name", track.name);
      header_ += '}';
    });
    std::vector<std::string> notes;
    for (const Note& note : trace_.notes) notes.push_back(note.what.Text());
    List("notes", notes);
  }

  int64_t SinceFirst(int64_t time_ps) const {
    return time_ps < trace_.earliest_ps ? 0 : time_ps - trace_.earliest_ps;
  }

  uint32_t NameOf(std::string_view name) {
    return static_cast<uint32_t>(texts_.Id(PrintableText(name)));
  }

  // Spans within others go into rows below them; levels of a track are rows of their own.
  Result<void> TakeSpans() {
    std::vector<int64_t> ends;  // of the spans around the next one
    uint32_t track = 0, level = 0;
    return ForEach(trace_.spans, [&](const TraceSpan& span) {
      const int64_t start = SinceFirst(span.start_ps);
      if (span.track != track || span.level != level) ends.clear();
      track = span.track;
      level = span.level;
      while (!ends.empty() && ends.back() <= start) ends.pop_back();
      const auto depth = static_cast<uint32_t>(ends.size());
      spans_.push_back({start, span.duration_ps, NameOf(span.name), track, level + depth});
      ends.push_back(start + span.duration_ps);
    });
  }

  // Keeps the longest ones if there are more than fit.
  void CutSpans() {
    counts_->all = spans_.size();
    if (spans_.size() > most_) {
      const auto longer = [](const PageSpan& a, const PageSpan& b) { return a.length > b.length; };
      std::nth_element(spans_.begin(), spans_.begin() + static_cast<ptrdiff_t>(most_), spans_.end(),
                       longer);
      spans_.resize(most_);
    }
    counts_->kept = spans_.size();
    const auto before = [](const PageSpan& a, const PageSpan& b) {
      if (a.track != b.track) return a.track < b.track;
      return a.row != b.row ? a.row < b.row : a.start < b.start;
    };
    std::stable_sort(spans_.begin(), spans_.end(), before);
  }

  bool BeginsRow(size_t i) const {
    return i == 0 || spans_[i].track != spans_[i - 1].track || spans_[i].row != spans_[i - 1].row;
  }

  Result<void> AddSpans() {
    TFPROF_TRY(Poll(context_));
    CutSpans();
    TFPROF_TRY(Poll(context_));
    std::vector<size_t> firsts;
    for (size_t i = 0; i < spans_.size(); ++i) {
      if (BeginsRow(i)) firsts.push_back(i);
    }
    Key("rows");
    AppendJsonList(firsts, &header_, [&](const size_t& first) {
      const size_t next = &first == &firsts.back() ? spans_.size() : (&first)[1];
      header_ += '{';
      Number("track", spans_[first].track);
      Number("first", static_cast<int64_t>(first));
      Number("count", static_cast<int64_t>(next - first));
      header_ += '}';
    });
    Key("spans");
    header_ += '{';
    Number("count", static_cast<int64_t>(spans_.size()));
    Number("all", static_cast<int64_t>(counts_->all));
    Key("start");
    Integers(spans_.size(), [&](size_t i) {
      return BeginsRow(i) ? spans_[i].start : spans_[i].start - spans_[i - 1].start;
    });
    Key("length");
    Integers(spans_.size(), [&](size_t i) { return spans_[i].length; });
    Key("name");
    Integers(spans_.size(), [&](size_t i) { return int64_t{spans_[i].name}; });
    header_ += '}';
    return {};
  }

  Result<void> AddCounters() {
    std::vector<std::vector<TraceSample>> samples(trace_.counters.size());
    TFPROF_TRY(ForEach(trace_.samples, [&](const TraceSample& sample) {
      samples[sample.counter].push_back(sample);
    }));
    Key("counters");
    AppendJsonList(trace_.counters, &header_, [&](const TraceCounter& counter) {
      const auto& own = samples[static_cast<size_t>(&counter - trace_.counters.data())];
      header_ += '{';
      Number("group", counter.group);
      Member("name", counter.name);
      Number("count", static_cast<int64_t>(own.size()));
      Key("time");
      Integers(own.size(), [&](size_t i) {
        return SinceFirst(own[i].time_ps) - (i > 0 ? SinceFirst(own[i - 1].time_ps) : 0);
      });
      Key("value");
      Integers(own.size(), [&](size_t i) { return own[i].value; });
      header_ += '}';
    });
    return {};
  }

  Result<void> AddFlows() {
    std::vector<TraceFlow> flows;
    TFPROF_TRY(ForEach(trace_.flows, [&](const TraceFlow& flow) { flows.push_back(flow); }));
    Key("flows");
    header_ += '{';
    Number("count", static_cast<int64_t>(flows.size()));
    const auto add = [&](std::string_view key, auto value_of) {
      Key(key);
      Integers(flows.size(), [&](size_t i) { return int64_t{value_of(flows[i])}; });
    };
    add("name", [&](const TraceFlow& flow) { return NameOf(flow.name); });
    add("from", [&](const TraceFlow& flow) { return SinceFirst(flow.from_ps); });
    add("from_track", [](const TraceFlow& flow) { return flow.from_track; });
    add("to", [&](const TraceFlow& flow) { return SinceFirst(flow.to_ps); });
    add("to_track", [](const TraceFlow& flow) { return flow.to_track; });
    header_ += '}';
    return {};
  }

  template <class T, class Take>
  Result<void> ForEach(const Cursor<T>& cursor, Take take) {
    if (!cursor) return {};
    std::vector<T> block(1024);
    while (const size_t filled = cursor(block)) {
      TFPROF_TRY(Poll(context_));
      std::for_each(block.begin(), block.begin() + static_cast<ptrdiff_t>(filled), take);
    }
    return {};
  }

  const Trace& trace_;
  size_t most_;
  PageTraceCounts* counts_;
  Context& context_;
  std::vector<PageSpan> spans_;
};

}  // namespace

Result<std::string> TraceBlock(const Trace& trace, size_t most_spans, PageTraceCounts* counts,
                               Context& context) {
  return PageTraceWriter(trace, most_spans, counts, context).Write();
}

}  // namespace tfprof
