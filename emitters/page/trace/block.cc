// SPDX-License-Identifier: Apache-2.0
// The block of a trace (emitters/page/block.h). Its header:
//
//   groups: [{name, label}], tracks: [{group, name}], notes: [...], from, to
//   rows: [{track, first, count}]: spans [first, first + count) do not overlap, by start
//   spans: {count, all, named, start, length, name, covered}
//   counters: [{group, name, count, time, value}]
//   flows: {count, from, from_track, to, to_track}
//
// Times are in ps from the first start of the profile. In a row, a start is stored as the
// difference to the one before it; so are the times of a counter. Blocks of windows have `window`,
// {from, to, min}, and of a search `matched`, 1 for spans that have some; only the first of them
// has counters and flows.
#include <algorithm>
#include <numeric>

#include "emitters/page/block.h"
#include "emitters/page/page.h"
#include "emitters/page/trace/spans.h"

namespace tfprof {
namespace {

class PageTraceWriter : BlockWriter {
 public:
  PageTraceWriter(const PageTrace& trace, Context& context) : trace_(trace), context_(context) {}

  // Writes all spans, or those that fit.
  Result<std::string> WriteLongest(size_t most, const std::vector<bool>& keeps,
                                   PageTraceCounts* counts) {
    const std::vector<bool> fits = FitsOf(most, keeps, counts);
    named_ = counts->named;
    for (const PageRow& row : trace_.rows) {
      TFPROF_TRY(Poll(context_));
      rows_.push_back({row.track, spans_.size(), 0});
      for (size_t i = row.first; i < row.first + row.count; ++i) {
        if (fits[i]) spans_.push_back(trace_.spans[i]);
      }
      rows_.back().count = spans_.size() - rows_.back().first;
      if (rows_.back().count == 0) rows_.pop_back();
    }
    return Write(true);
  }

  Result<std::string> WriteWindow(const TraceWindow& window, bool is_first,
                                  const SpanMatches* matches) {
    std::vector<size_t> firsts;
    for (size_t row = 0; row < trace_.rows.size(); ++row) {
      TFPROF_TRY(Poll(context_));
      const std::vector<PageSpan> shown = SpansIn(trace_, row, window, &firsts);
      rows_.push_back({trace_.rows[row].track, spans_.size(), shown.size()});
      spans_.insert(spans_.end(), shown.begin(), shown.end());
    }
    if (matches != nullptr) {
      Key("matched");
      Integers(spans_.size(),
               [&](size_t i) { return int64_t{matches->HasIn(firsts[i], spans_[i].covered)}; });
    }
    Key("window");
    json += '{';
    Number("from", window.from);
    Number("to", window.to);
    Number("min", window.least);
    json += '}';
    return Write(is_first);
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
  // Which spans to keep, by their number.
  std::vector<bool> FitsOf(size_t most, const std::vector<bool>& keeps, PageTraceCounts* counts) {
    const size_t all = trace_.spans.size();
    *counts = {.all = all, .kept = std::min(all, most), .named = 0};
    if (all <= most) return std::vector<bool>(all, true);
    std::vector<uint32_t> longest(all);
    std::iota(longest.begin(), longest.end(), 0U);
    const auto longer = [&](uint32_t a, uint32_t b) {
      const int64_t left = trace_.spans[a].length, right = trace_.spans[b].length;
      return left != right ? left > right : a < b;
    };
    const auto is_named = [&](uint32_t i) { return !keeps.empty() && keeps[trace_.spans[i].name]; };
    const auto named_end = std::partition(longest.begin(), longest.end(), is_named);
    const auto named =
        std::min<ptrdiff_t>(named_end - longest.begin(), static_cast<ptrdiff_t>(most / 2));
    std::nth_element(longest.begin(), longest.begin() + named, named_end, longer);
    const auto last = longest.begin() + static_cast<ptrdiff_t>(most);
    std::nth_element(longest.begin() + named, last, longest.end(), longer);
    std::vector<bool> fits(all);
    std::for_each(longest.begin(), last, [&](uint32_t i) { fits[i] = true; });
    counts->named = static_cast<size_t>(named);
    return fits;
  }

  // The number of a name in this block.
  int64_t NameHere(uint32_t name) {
    if (ids_.empty()) ids_.assign(trace_.names.texts.size(), -1);
    int64_t& id = ids_[name];
    if (id < 0) id = texts_.Id(*trace_.names.texts[name]);
    return id;
  }

  Result<std::string> Write(bool whole) {
    AddPlaces();
    TFPROF_TRY(Poll(context_));
    AddSpans();
    TFPROF_TRY(Poll(context_));
    if (whole) {
      AddCounters();
      AddFlows();
    }
    return Finish();
  }

  void AddPlaces() {
    Number("from", trace_.from);
    Number("to", trace_.to);
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
    Key("rows");
    Objects(rows_, [&](const PageRow& row) {
      Number("track", row.track);
      Number("first", static_cast<int64_t>(row.first));
      Number("count", static_cast<int64_t>(row.count));
    });
  }

  void AddSpans() {
    std::vector<int64_t> starts(spans_.size());
    for (const PageRow& row : rows_) {
      for (size_t i = row.first; i < row.first + row.count; ++i) {
        starts[i] = spans_[i].start - (i == row.first ? 0 : spans_[i - 1].start);
      }
    }
    Key("spans");
    json += '{';
    Number("count", static_cast<int64_t>(spans_.size()));
    Number("all", static_cast<int64_t>(trace_.spans.size()));
    Number("named", static_cast<int64_t>(named_));
    Key("start");
    Place(bytes_.AddIntegers(starts));
    Key("length");
    Integers(spans_.size(), [&](size_t i) { return spans_[i].length; });
    Key("name");
    Integers(spans_.size(), [&](size_t i) { return NameHere(spans_[i].name); });
    Key("covered");
    Integers(spans_.size(), [&](size_t i) { return int64_t{spans_[i].covered}; });
    json += '}';
  }

  void AddCounters() {
    Key("counters");
    Objects(trace_.counters, [&](const TraceCounter& counter) {
      const auto& own = trace_.samples[static_cast<size_t>(&counter - trace_.counters.data())];
      Number("group", counter.group);
      Member("name", counter.name);
      Number("count", static_cast<int64_t>(own.size()));
      Key("time");
      Integers(own.size(), [&](size_t i) { return own[i].time - (i > 0 ? own[i - 1].time : 0); });
      Key("value");
      Integers(own.size(), [&](size_t i) { return own[i].value; });
    });
  }

  void AddFlows() {
    const std::vector<PageFlow>& flows = trace_.flows;
    Key("flows");
    json += '{';
    Number("count", static_cast<int64_t>(flows.size()));
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
  std::vector<PageRow> rows_;  // of the spans here
  std::vector<PageSpan> spans_;
  size_t named_ = 0;          // of them, those kept for their names
  std::vector<int64_t> ids_;  // of names in this block; -1: not yet
};

}  // namespace

Result<std::string> TraceBlock(const PageTrace& trace, size_t most_spans,
                               const std::vector<bool>& keeps, PageTraceCounts* counts,
                               Context& context) {
  return PageTraceWriter(trace, context).WriteLongest(most_spans, keeps, counts);
}

Result<std::string> TraceWindowBlock(const PageTrace& trace, const TraceWindow& window,
                                     bool is_first, const SpanMatches* matches, Context& context) {
  return PageTraceWriter(trace, context).WriteWindow(window, is_first, matches);
}

Result<std::string> TraceRangeBlock(const PageTrace& trace, int64_t from, int64_t to,
                                    Context& context) {
  TFPROF_ASSIGN(const std::vector<RanInRange> ran, RanIn(trace, from, to, context));
  return PageTraceWriter(trace, context).WriteRange(ran);
}

}  // namespace tfprof
