// SPDX-License-Identifier: Apache-2.0
#include "cli/export/commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "analysis/contents.h"
#include "analysis/nodes/accounting.h"
#include "analysis/nodes/code_tree.h"
#include "analysis/steps/step_selection.h"
#include "cli/ask/question.h"
#include "core/base/arith.h"
#include "core/base/nearest.h"
#include "core/report/fold.h"
#include "core/store/note_catalogue.h"
#include "emitters/emitter.h"
#include "emitters/flame/frames.h"
#include "views/diff/side.h"
#include "views/view.h"

namespace tfprof {
namespace {

// Deeper rows are added to the row above them: the time and the size of a file of stacks grow with
// rows times depth.
constexpr int32_t kMaxExportDepth = 256;

struct FlameEnding {
  std::string_view ending;
  std::string_view emitter;
};
constexpr FlameEnding kFlameEndings[] = {
    {".html", "flame_html"},
    {".svg", "flame_svg"},
    {".folded", "folded"},
    {".speedscope.json", "speedscope"},
};

const FlameEnding* EndingOf(std::string_view out) {
  if (out.ends_with(".gz")) out.remove_suffix(3);
  for (const FlameEnding& ending : kFlameEndings) {
    if (out.ends_with(ending.ending)) return &ending;
  }
  return nullptr;
}

bool HasNumbers(Attribute attribute) { return Info(attribute).measures > 0; }

// Time if the profile has it, else the first recorded attribute.
Attribute FirstRecorded(const Store& store) {
  const std::vector<Content> contents = ContentsOf(store);
  const auto has = [&](std::string_view id) {
    return std::any_of(contents.begin(), contents.end(), [&](const Content& content) {
      return content.id == id && content.count > 0;
    });
  };
  if (has("time")) return Attribute::micros;
  return has("params") ? Attribute::params : Attribute::occurrence;
}

// The profile whose nodes are the rows.
Result<Profile> NodesFor(const WritingJob& job) {
  const PlaceFilter place = QueryOfThis(job.query).place;
  const TraceNodes::Key key{place.OfPlaces(), NodeGranularity::one_per_stack};
  return ProfileOfNodes(job.session, key, job.context);
}

// True if source lines are known for most of the time, which is that of devices if they recorded
// any.
bool MostHasLines(const Store& nodes) {
  const bool accelerated = IsAccelerated(nodes);
  int64_t all_ps = 0, traced_ps = 0;
  for (const Lane& lane : nodes.lanes) {
    if (accelerated && lane.measures != Measures::accelerator_time) continue;
    for (const uint32_t row : lane.rows) {
      const NodeId node = nodes.labels[nodes.events.label[row].value].node;
      const int64_t ps = nodes.events.duration_ps[row];
      all_ps = SaturatingAdd(all_ps, ps);
      if (node.some() && nodes.nodes[node.value].has_trace)
        traced_ps = SaturatingAdd(traced_ps, ps);
    }
  }
  return traced_ps >= all_ps / 2;
}

// Source lines of compiled programs have no callers, so they are no call graph.
Result<const View*> ViewOf(const WritingJob& job, const Profile& nodes) {
  if (!job.query.view.empty()) return FindView(job.query.view);
  if (!nodes.store->has_code_traces) return &ScopeView();
  if (LacksNodes(*job.session.profile.store) && !MostHasLines(*nodes.store)) return &ScopeView();
  TFPROF_ASSIGN(const auto code, nodes.indexes->Get<CodeTree>(job.context));
  const Column<Range>& stacks = code->stacks.stacks;
  const bool has_calls = std::any_of(stacks.begin(), stacks.end(),
                                     [](const Range& frames) { return frames.count > 1; });
  return has_calls ? &CodeView() : &ScopeView();
}

// Options without a value get the human-readable defaults in both modes: all rows, the most
// expensive first.
Query QueryFor(const WritingJob& job, const View& view,
               const std::vector<Attribute>& default_select) {
  Query query = job.query;
  query.place.exact = true;
  query.place.whole_us = query.diff.base != nullptr &&
                         ResolveDifferently(*query.diff.base, *job.session.profile.store);
  DropMinimumsNotGiven(job.given, &query.tree);
  if (!Has(job.given, "frames")) query.display.all_frames = false;
  if (!Has(job.given, "select")) query.display.select = default_select;
  if (!Has(job.given, "max_depth"))
    query.tree.max_depth = view.tree ? kMaxExportDepth : TreeFilter::kAnyDepth;
  if (!Has(job.given, "order_by"))
    query.display.order_by = OrderOf(query.display).value_or(query.display.order_by);
  return query;
}

// Adds the start of the selected step (or the first of several) and the mean duration.
Result<void> AddTraceTime(const WritingJob& job, const PlaceFilter& place, Report& report) {
  const Store& store = *job.session.profile.store;
  TFPROF_ASSIGN(const Activities activities, ActivitiesOf(store, job.context));
  int64_t start_ps = kNoTime, steps = 0;
  __extension__ __int128 sum_ps = 0;
  for (size_t i = 0; i < activities.steps.size(); ++i) {
    const Activity& step = activities.steps[i];
    if (step.SpanPs() == kNoInt) continue;
    if (!place.TakesStep(store.steps[i].number)) continue;
    if (steps++ == 0) start_ps = step.start_ps;
    sum_ps += step.SpanPs();
  }
  if (steps == 0) return {};
  report.recording.start_ns = SaturatingAdd(store.epoch_ns, start_ps / kPsPerNs);
  report.recording.span_ns = static_cast<int64_t>(sum_ps / steps / kPsPerNs);
  return {};
}

// The original's code rows lack runs, nodes and everything without a code trace.
Result<Report> MakeCode(const WritingJob& job, const Profile& profile, Query query) {
  const bool occurrence = query.display.Selects(Attribute::occurrence);
  std::erase(query.display.select, Attribute::occurrence);
  TFPROF_ASSIGN(Report report, Make(profile, CodeView(), query, job.context));
  if (occurrence) ShowOccurrence(report);
  TFPROF_TRY(AddUntraced(profile, query, report, job.context));
  return report;
}

Result<Report> MakeStacks(const WritingJob& job, const Profile& profile, const View& view,
                          const Query& query) {
  TFPROF_ASSIGN(Report report, &view == &CodeView() ? MakeCode(job, profile, query)
                                                    : Make(profile, view, query, job.context));
  LimitDepth(report);
  return report;
}

// Adds the answer for the base, with which -diff compares.
Result<void> AddBase(const WritingJob& job, const View& view, const Query& query, Report* report) {
  const Profile& profile = job.session.profile;
  const Profile other = query.diff.base == nullptr ? profile : Profile(query.diff.base);
  const Query of_this = QueryOfThis(query);
  TFPROF_TRY(CheckStep(*other.store, *other.indexes, query.place, "in the base", job.context));
  TFPROF_ASSIGN(const Divisors divisors,
                FindDivisors({other.store, *other.indexes, query},
                             {profile.store, *profile.indexes, of_this}, job.context));
  if (divisors.before != divisors.after) {
    report->notes.push_back({note::With(note::base_scaled, {divisors.text}), 1, "", kNoInt});
  }
  TFPROF_ASSIGN(Report base, MakeStacks(job, other, view, query));
  report->base_factor = static_cast<double>(divisors.after) / static_cast<double>(divisors.before);
  report->base = std::make_shared<const Report>(std::move(base));
  return {};
}

// Pictures show rows that differ in a number as one, as tables do. Changes pair the single rows.
bool FoldsFrames(const WritingJob& job, std::string_view format) {
  if (job.query.diff.drawn) return false;
  if (Has(job.given, "fold")) return job.query.display.fold;
  return format == "flame_html" || format == "flame_svg";
}

// The rows of a view, with those of the base for changes.
Result<Report> StacksOf(const WritingJob& job, const View& view, const Query& query,
                        std::string_view format) {
  const Profile& profile = job.session.profile;
  TFPROF_ASSIGN(Report report, MakeStacks(job, profile, view, QueryOfThis(query)));
  if (FoldsFrames(job, format)) TFPROF_TRY(Fold(&report, job.context));
  if (query.diff.drawn) TFPROF_TRY(AddBase(job, view, query, &report));
  NoteEmptyMeasures(report);
  return report;
}

Result<Written> Write(const WritingJob& job, const View& view, const Query& query,
                      std::string_view format) {
  TFPROF_ASSIGN(Report report, StacksOf(job, view, query, format));
  TFPROF_TRY(AddTraceTime(job, query.place, report));
  report.recording.command = job.line;
  const Emitter& emitter = *FindFileEmitter(format);
  TFPROF_TRY(PrepareFor(emitter, &report, job.context));
  TFPROF_TRY(emitter.emit(report, query, {}, job.sink, job.context));
  return Written{fmt::format("{} rows of {}", report.tables[0].PrintedRows(), report.view),
                 std::move(report.notes)};
}

}  // namespace

Result<void> CheckPprof(const std::string&, const Query& query) {
  TFPROF_TRY(CheckView(query));
  if (std::any_of(query.display.select.begin(), query.display.select.end(), HasNumbers)) return {};
  return UsageError("-select: pprof needs a measure", "for example -select micros");
}

Result<Written> WritePprof(const WritingJob& job) {
  TFPROF_ASSIGN(const Profile nodes, NodesFor(job));
  const std::vector<Attribute> all = {FirstRecorded(*nodes.store), Attribute::micros,
                                      Attribute::occurrence,       Attribute::bytes,
                                      Attribute::peak_bytes,       Attribute::residual_bytes,
                                      Attribute::output_bytes,     Attribute::params,
                                      Attribute::float_ops};
  TFPROF_ASSIGN(const View* const view, ViewOf(job, nodes));
  return Write(job, *view, QueryFor(job, *view, all), "pprof");
}

Result<std::string> ChangesOf(const Session& session, const View& view, Context& context) {
  Query query = session.options;
  query.diff.drawn = true;
  query.diff.base = session.base;
  query.view = view.name;
  Sink json;
  const std::string none;
  const WritingJob job{session, query, session.given, none, none, json, context};
  TFPROF_ASSIGN(const Profile nodes, NodesFor(job));
  const Query all = QueryFor(job, view, {FirstRecorded(*nodes.store)});
  TFPROF_ASSIGN(const Report report, StacksOf(job, view, all, "flame_html"));
  TFPROF_TRY(EmitFlameData(report, json, context));
  Sink compressed;
  GzipSink gzip(compressed);
  gzip.sink().Append(json.buffer);
  TFPROF_TRY(gzip.Finish());
  return std::move(compressed.buffer);
}

Result<void> CheckFlame(const std::string& out, const Query& query) {
  TFPROF_TRY(CheckView(query));
  if (EndingOf(out) == nullptr) {
    return Fail(ErrorKind::usage, "the file ending does not name a format", out,
                "one of .html .svg .folded .speedscope.json");
  }
  if (query.diff.drawn && EndingOf(out)->emitter == "speedscope") {
    return UsageError("-diff: speedscope files have no changes", "one of .html .svg .folded");
  }
  if (!query.display.unfold.empty()) {
    return UsageError("-unfold: a flame graph has all rows", "-fold=false");
  }
  if (query.display.select.size() == 1 && HasNumbers(query.display.select[0])) return {};
  return UsageError("-select: a flame graph shows one measure", "for example -select micros");
}

Result<Written> WriteFlame(const WritingJob& job) {
  TFPROF_ASSIGN(const Profile nodes, NodesFor(job));
  TFPROF_ASSIGN(const View* const view, ViewOf(job, nodes));
  return Write(job, *view, QueryFor(job, *view, {FirstRecorded(*nodes.store)}),
               EndingOf(job.out)->emitter);
}

}  // namespace tfprof
