// SPDX-License-Identifier: Apache-2.0
#include "cli/follow/watch.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <ostream>
#include <tuple>
#include <utility>

#include "cli/answer/answer.h"
#include "cli/answer/destination.h"
#include "cli/message.h"
#include "cli/shell/commands.h"
#include "core/text/units.h"
#include "emitters/data/markdown.h"
#include "emitters/printable.h"
#include "emitters/table/parts.h"
#include "emitters/table/screen.h"
#include "views/answer.h"
#include "views/view.h"

namespace tfprof {
namespace {

constexpr size_t kLongestCurve = 4096;
constexpr size_t kMostChanges = 50;
constexpr int64_t kMostSpansPerLook = 60;
constexpr size_t kLabelWidth = 13;  // on the screen

using Found = std::vector<std::pair<FindingId, std::string>>;

// Findings of `these` that `others` has not. Their texts have numbers that change: the kind counts.
Found Without(const Found& these, const Found& others) {
  Found rest;
  for (const auto& finding : these) {
    if (std::ranges::find(others, finding.first, &Found::value_type::first) == others.end())
      rest.push_back(finding);
  }
  return rest;
}

std::string TimeText(int64_t ps) { return ps == kNoInt ? "-" : Human(ps, Unit::ps); }
std::string BytesText(int64_t bytes) { return bytes == kNoInt ? "-" : Human(bytes, Unit::bytes); }

// "+3.1%"; empty: no base.
std::string ChangeText(int64_t from, int64_t to) {
  if (from == kNoInt || to == kNoInt || from == 0) return {};
  return fmt::format(
      "{:+.1f}%", RoundedPercent(100 * (static_cast<double>(to) / static_cast<double>(from) - 1)));
}

std::string PointsText(double from, double to) {
  if (std::isnan(from) || std::isnan(to)) return {};
  return fmt::format("{:+.1f} points", RoundedPercent(to - from));
}

// A measure, now and in the baseline.
struct Figure {
  const char* name;
  std::string base, now, change;
};

std::vector<Figure> FiguresOf(const Observation& base, const Observation& now) {
  return {{"step time", TimeText(base.step_ps), TimeText(now.step_ps),
           ChangeText(base.step_ps, now.step_ps)},
          {"device busy", PercentText(base.busy_pct), PercentText(now.busy_pct),
           PointsText(base.busy_pct, now.busy_pct)},
          {"memory peak", BytesText(base.memory_bytes), BytesText(now.memory_bytes),
           ChangeText(base.memory_bytes, now.memory_bytes)}};
}

void Append(std::vector<int64_t>* curve, int64_t value) {
  if (curve->size() == kLongestCurve) curve->erase(curve->begin());
  curve->push_back(value);
}

std::string Now() { return fmt::format("{:%H:%M:%S}", fmt::localtime(std::time(nullptr))); }

// A text on one line of Markdown.
std::string MarkdownText(std::string_view text) {
  std::string line;
  AppendMarkdown(PrintableText(text), &line);
  return line;
}

}  // namespace

Result<void> Watch::TakeBaseline(Session& session, const Observation& now) {
  // A job that has just begun has no steps yet: there is nothing to compare with.
  const bool begins = baseline_ && baseline_->steps == 0 && now.steps > 0;
  if (baseline_ && !(begins && session.base_path.empty())) return {};
  if (session.base_path.empty()) {
    session.base = session.profile.store;
    baseline_ = now;
    return {};
  }
  TFPROF_TRY(OpenBase(session));
  Work work(session);
  TFPROF_ASSIGN(baseline_, Observe(session.base, Indexes(session.base), nullptr, work.context));
  return {};
}

// As `diff -fail-if`, on the steps that are new in this look. Without any, the last verdict stays.
Result<void> Watch::Judge(Session& session, const Observation& now) {
  if (now.HasNothingNew()) return {};
  exceeded_.clear();
  not_judged_.clear();
  if (options_.limits.empty()) return {};
  Work work(session);
  Query query;
  query.place = PlaceFilter::Exact();
  query.fail_if = options_.limits;
  query.diff.base = session.base;
  if (!now.sees_all && now.first_step >= 0 && baseline_->first_step >= 0) {
    query.place.step = baseline_->first_step;
    query.place.last_step = baseline_->last_step;
    query.diff.with_step = now.first_step;
    query.diff.with_last_step = now.last_step;
  }
  const Result<Report> report = Make(session.profile, *FindView("diff"), query, work.context);
  const Result<void> kept =
      report ? CheckFailIf(*report, query) : Result<void>(Failure(report.error()));
  const bool exceeds = !kept && kept.error().kind == ErrorKind::limit;
  if (kept || exceeds) ++looks_judged_;
  if (kept) return {};
  if (exceeds) {
    exceeded_ = kept.error().what;
    ++times_exceeded_;
    return {};
  }
  if (kept.error().kind != ErrorKind::usage) return kept;
  not_judged_ = kept.error().what;
  return {};
}

void Watch::Remember(const Observation& now) {
  for (const int64_t span_ps : now.spans_ps) {
    shortest_ps_ = shortest_ps_ == kNoInt ? span_ps : std::min(shortest_ps_, span_ps);
    longest_ps_ = std::max(longest_ps_, span_ps);
  }
  // Many steps of one look become means of groups.
  const auto spans = static_cast<int64_t>(now.spans_ps.size());
  const int64_t groups = std::min(spans, kMostSpansPerLook);
  for (int64_t group = 0; group < groups; ++group) {
    const int64_t begin = group * spans / groups, end = (group + 1) * spans / groups;
    double sum = 0;
    for (int64_t i = begin; i < end; ++i)
      sum += static_cast<double>(now.spans_ps[static_cast<size_t>(i)]);
    Append(&step_curve_, static_cast<int64_t>(sum / static_cast<double>(end - begin)));
  }
  Append(&busy_curve_, std::isnan(now.busy_pct) ? kNoInt : std::llround(now.busy_pct));
  Append(&memory_curve_, now.memory_bytes);
  came_ = gone_ = {};
  if (last_) {
    came_ = Without(now.findings, last_->findings);
    gone_ = Without(last_->findings, now.findings);
  }
  for (const auto& [list, word] : {std::pair(&came_, "new"), std::pair(&gone_, "gone")}) {
    for (const auto& finding : *list) {
      if (changes_.size() < kMostChanges)
        changes_.push_back(last_time_ + " " + word + ": " + finding.second);
    }
  }
  last_ = now;
}

void Watch::ShowLine(Session& session, const Observation& now) const {
  std::string line = last_time_;
  for (const Figure& figure : FiguresOf(*baseline_, now)) {
    if (figure.now == "-") continue;
    line += fmt::format("  {} {}", figure.name, figure.now);
    if (!figure.change.empty()) line += " (" + figure.change + ")";
  }
  line += fmt::format("  {}", Counted(now.steps, "step"));
  for (const auto& finding : came_) line += "\n  new finding: " + Printable(finding.second);
  for (const auto& finding : gone_) line += "\n  gone: " + Printable(finding.second);
  if (!Verdict().empty()) line += "\n  " + Printable(Verdict());
  *session.io.out << line << "\n";
}

void Watch::ShowScreen(Session& session, const Observation& now) const {
  const Style style = StyleFor(session, Report{}, Query{}, CommandLine{});
  std::string text;
  AppendWrapped(fmt::format("{}: {}, look {}, {}", PrintableText(options_.title, style.utf8),
                            last_time_, looks_, Counted(now.steps, "step")),
                0, style, &text);
  for (const Figure& figure : FiguresOf(*baseline_, now)) {
    text += fmt::format("{:<{}}{:>10}  {:<14} {}\n", figure.name, kLabelWidth, figure.now,
                        figure.change, figure.change.empty() ? "" : "from " + figure.base);
  }
  const auto add = [&](std::string_view label, const Found& findings) {
    for (const auto& finding : findings) {
      const size_t at = text.size();
      AppendWrapped(PrintableText(finding.second, style.utf8), kLabelWidth, style, &text);
      text.replace(at, label.size(), label);
    }
  };
  add("finding", now.findings);
  add("new", came_);
  add("gone", gone_);
  if (!Verdict().empty()) AppendWrapped(PrintableText(Verdict(), style.utf8), 0, style, &text);
  using Kind = Chart::Kind;
  const std::vector<Chart> curves = {
      {Kind::curve, "step time", Unit::ps, {"step time"}, {}, step_curve_},
      {Kind::curve, "device busy", Unit::percent, {"busy"}, {}, busy_curve_},
      {Kind::curve, "memory peak", Unit::bytes, {"bytes"}, {}, memory_curve_}};
  text += "\n";
  AppendCharts(curves, style, &text);
  *session.io.out << text;
}

void Watch::Show(Session& session, const Observation& now) const {
  session.io.out_is_terminal ? ShowScreen(session, now) : ShowLine(session, now);
}

Result<int> Watch::Look(Session& session) {
  Observation now;
  {
    Work work(session);
    TFPROF_ASSIGN(now,
                  Observe(session.profile.store, *session.profile.indexes, &seen_, work.context));
  }
  if (now.HasNothingNew() && last_) now.step_ps = last_->step_ps;
  ++looks_;
  last_time_ = Now();
  if (first_time_.empty()) first_time_ = last_time_;
  TFPROF_TRY(TakeBaseline(session, now));
  TFPROF_TRY(Judge(session, now));
  Remember(now);
  if (!options_.quiet) Show(session, now);
  for (const std::string& view : options_.views) {
    const std::pair base(session.base, session.base_path);
    const int status = Execute(session, view, "");
    std::tie(session.base, session.base_path) = base;  // `diff OTHER` replaces it
    if (status != 0) return status;
  }
  return 0;
}

int Watch::Status() const {
  if (!exceeded_.empty()) return static_cast<int>(ErrorKind::limit);
  return not_judged_.empty() ? 0 : static_cast<int>(ErrorKind::usage);
}

std::string Watch::Summary() const {
  std::string text = fmt::format("### {}\n\n", MarkdownText(options_.title));
  if (!last_) return text + "Nothing was recorded.\n";
  text += "| | baseline | now | change |\n|---|---:|---:|---:|\n";
  for (const Figure& figure : FiguresOf(*baseline_, *last_)) {
    text +=
        fmt::format("| {} | {} | {} | {} |\n", figure.name, figure.base, figure.now, figure.change);
  }
  text += fmt::format("\n{} from {} to {}.", Counted(looks_, "look"), first_time_, last_time_);
  if (shortest_ps_ != kNoInt)
    text += fmt::format(" Steps took {} to {}.", TimeText(shortest_ps_), TimeText(longest_ps_));
  text += "\n";
  for (const std::string& limit : options_.limits)
    text += fmt::format("\n- limit {}", MarkdownText(limit));
  if (!options_.limits.empty()) {
    text += fmt::format("\n\n{} Exceeded in {} of {}.\n",
                        !exceeded_.empty()     ? "**" + MarkdownText(exceeded_) + "**."
                        : !not_judged_.empty() ? MarkdownText(not_judged_) + "."
                                               : "All limits are kept.",
                        times_exceeded_, Counted(looks_judged_, "look"));
  }
  if (!last_->findings.empty()) text += "\nFindings:\n";
  for (const auto& finding : last_->findings) text += "\n- " + MarkdownText(finding.second);
  if (!last_->findings.empty()) text += "\n";
  if (!changes_.empty()) text += "\nFindings that changed:\n";
  for (const std::string& change : changes_) text += "\n- " + MarkdownText(change);
  if (!changes_.empty()) text += "\n";
  return text;
}

}  // namespace tfprof
