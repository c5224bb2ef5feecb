// SPDX-License-Identifier: Apache-2.0
// `report OUT.html`: every view that answers the open profile, on one page (emitters/page/page.h).
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "analysis/steps/step_selection.h"
#include "cli/answer/answer.h"
#include "cli/ask/command.h"
#include "cli/export/commands.h"
#include "cli/export/page_answers.h"
#include "core/base/parallel.h"
#include "core/report/refine.h"
#include "core/text/units.h"
#include "emitters/page/page.h"
#include "emitters/page/trace/block.h"
#include "emitters/table/facts.h"
#include "views/view.h"

namespace tfprof {
namespace {

constexpr size_t kMostSpans = 5'000'000;  // of the trace: more would take browsers too much memory
constexpr size_t kFewestSpans = 1'000;
constexpr int64_t kFewestRows = 10;  // of a table

bool HasRows(const Report& report) {
  return std::ranges::any_of(report.tables,
                             [](const Table& table) { return table.PrintedRows() > 0; });
}

bool IsEmpty(const Report& report) { return !HasRows(report) && FactLines(report, true).empty(); }

// True if a flame graph of the first table has a width.
bool HasTotals(const Report& report) {
  const Table& table = report.tables.front();
  if (!table.tree || table.PrintedRows() == 0) return false;
  return std::ranges::any_of(table.columns, [](const ReportColumn& column) {
    const bool is_sum = column.spec.role == ColumnRole::total || column.spec.id == "time_us";
    return is_sum && column.spec.type == CellType::integer && column.Integer(0) > 0;
  });
}

// The answers of a page with the reports that they are made of.
class PageAnswers {
 public:
  PageAnswers(Session& session, Page* page) : session_(session), page_(page) {}

  // Adds the answers about a view; if the profile has none, says why.
  Result<void> AddView(const View& view, Context& context) {
    PageEntry entry = EntryOf(view, session_);
    for (const std::string& command : CommandsOf(view)) {
      if (!entry.lacks.empty()) break;
      const bool is_first = entry.answers.empty();
      TFPROF_ASSIGN(const bool is_there, Add(command, is_first ? &entry.lacks : nullptr, context));
      if (!is_there || !HasTotals(reports_.back().answered.report)) {
        std::erase(entry.flames, command);
      }
      if (!is_there) continue;
      entry.answers.push_back(command);
      const Report& report = reports_.back().answered.report;
      if (report.tables.front().name == "over_time") entry.moments = MomentCommands(report);
    }
    entry.empty = entry.answers.size() == 1 && IsEmpty(reports_.back().answered.report);
    const std::string changes = ChangesCommand(view, session_);
    if (!changes.empty() && !entry.answers.empty()) {
      Result<std::string> block = ChangesOf(session_, view, context);
      if (!block && block.error().kind == ErrorKind::cancelled) return Failure(block.error());
      if (block) page_->answers.push_back({changes, std::move(*block)});
    }
    page_->entries.push_back(std::move(entry));
    return {};
  }

  // Adds what was held at some times, after the answers of all views: it is the first to go.
  Result<void> AddMoments(Context& context) {
    without_moments_ = page_->answers.size();
    for (PageEntry& entry : page_->entries) {
      for (const std::string& command : std::exchange(entry.moments, {})) {
        TFPROF_ASSIGN(const bool is_there, Add(command, nullptr, context));
        if (is_there) entry.moments.push_back(command);
      }
    }
    return {};
  }

  // Cuts tables that have more rows, and drops the moments. Returns true if there were some.
  Result<bool> CutRows(int64_t most_rows, Context& context) {
    const bool had_moments = page_->answers.size() > without_moments_;
    for (PageEntry& entry : page_->entries) entry.moments.clear();
    page_->answers.resize(without_moments_);
    while (!places_.empty() && places_.back() >= without_moments_) {
      places_.pop_back();
      reports_.pop_back();
    }
    Display display;
    display.rows = most_rows;
    const auto is_longer = [&](const Table& table) {
      return static_cast<int64_t>(table.rows) > most_rows;
    };
    for (size_t i = 0; i < reports_.size(); ++i) {
      Report& report = reports_[i].answered.report;
      if (std::ranges::none_of(report.tables, is_longer)) continue;
      TFPROF_TRY(Refine(report, display));
      TFPROF_ASSIGN(page_->answers[places_[i]].block, BlockOf(reports_[i], context));
    }
    return had_moments;
  }

 private:
  // `lacks`: gets why there is no answer; null: one without rows is left out. Error: cancelled.
  Result<bool> Add(const std::string& command, std::string* lacks, Context& context) {
    TFPROF_ASSIGN(const CommandLine line, SplitShell(command));
    Result<PageReport> made = ReportOf(session_, line, kMostPageRows, context);
    if (!made && made.error().kind == ErrorKind::cancelled) return Failure(made.error());
    if (!made && lacks != nullptr) *lacks = made.error().what;
    if (!made || (lacks == nullptr && !HasRows(made->answered.report))) return false;
    TFPROF_ASSIGN(std::string block, BlockOf(*made, context));
    places_.push_back(page_->answers.size());
    page_->answers.push_back({command, std::move(block)});
    reports_.push_back(std::move(*made));
    return true;
  }

  Session& session_;
  Page* page_;
  std::vector<PageReport> reports_;
  std::vector<size_t> places_;  // of the reports, in Page::answers
  size_t without_moments_ = 0;  // of Page::answers
};

// The bytes that -max-size leaves for the trace. Error: cancelled.
Result<int64_t> RoomForTrace(int64_t max, Page* page, Context& context) {
  constexpr int64_t kSentences = 1000;  // about what is left out
  Sink html;
  page->answers.push_back({std::string(kTraceKey), {}});
  const Result<void> emitted = EmitPage(*page, html, context);
  page->answers.pop_back();
  TFPROF_TRY(emitted);
  return max - static_cast<int64_t>(html.buffer.size()) - kSentences;
}

int64_t EmbeddedBytes(const std::string& block) {
  return static_cast<int64_t>((block.size() + 2) / 3 * 4);  // in Base64
}

// True if the text has the word between characters that no name has.
bool HasWord(std::string_view text, std::string_view word) {
  const auto is_part = [&](size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    if (!(at > 0 && is_part(at - 1)) && !is_part(at + word.size())) return true;
  }
  return false;
}

// Which names of the trace the findings name. Error: cancelled.
Result<std::vector<bool>> NamedByFindings(Session& session, const PageTrace& trace,
                                          Context& context) {
  constexpr size_t kShortest = 3;  // a shorter name is part of any sentence
  const CommandLine line = InFormat(JoinWords({"advise"}), "json");
  Result<Answered> advice = AnswerFor(session, line, kMostPageRows, context);
  if (!advice && advice.error().kind == ErrorKind::cancelled) return Failure(advice.error());
  if (!advice) return std::vector<bool>(trace.names.texts.size());
  std::string findings;
  for (const Table& table : advice->report.tables) {
    for (const std::string_view id : {"finding", "evidence"}) {
      const ReportColumn* const column = table.Find(id);
      for (size_t row = 0; column != nullptr && row < table.PrintedRows(); ++row) {
        findings.append(column->texts[row]).append("\n");
      }
    }
  }
  std::vector<bool> named;
  for (const std::string* name : trace.names.texts) {
    named.push_back(name->size() >= kShortest && HasWord(findings, *name));
  }
  return named;
}

// Says what a trace that was cut has, and why the page is nevertheless too large. `over`: bytes
// above `max`.
void NoteLeftOut(const PageTraceCounts& counts, int64_t over, int64_t max, Page* page) {
  if (counts.kept < counts.all) {
    const std::string which =
        counts.named == 0
            ? "the longest"
            : fmt::format("{} that findings name and the longest others", counts.named);
    page->left_out.push_back(
        fmt::format("the trace has {} of {} spans one by one, {}, and short neighbors as one",
                    counts.kept, counts.all, which));
  }
  if (counts.flows_kept < counts.flows) {
    page->left_out.push_back(
        fmt::format("the trace has {} of {} arrows", counts.flows_kept, counts.flows));
  }
  if (counts.are_counters_cut) page->left_out.push_back("counters have their highest values");
  if (over <= 0) return;
  page->left_out.push_back(fmt::format("the page takes {}, more than -max-size {}",
                                       Human(max + over, Unit::bytes), Human(max, Unit::bytes)));
}

PageTraceLimits LimitsFor(size_t spans) {
  return {.spans = spans, .flows = spans / 4, .samples = spans / 4};
}

// Returns the trace in `room` bytes, if it can have so few. Error: cancelled.
Result<std::string> TraceWithin(int64_t room, Session& session, const PageTrace& trace,
                                PageTraceCounts* counts, Context& context) {
  constexpr int64_t kBytesOfSpan = 10;
  constexpr double kFilled = 0.8;  // of the room, which is enough
  constexpr int kTries = 4;
  const auto within = [](double spans) {
    return std::clamp(static_cast<size_t>(std::max(spans, 0.0)), kFewestSpans, kMostSpans);
  };
  size_t spans = within(static_cast<double>(room) / kBytesOfSpan);
  const bool is_cut = trace.spans.size() > spans || trace.flows.size() > LimitsFor(spans).flows;
  std::vector<bool> named;
  if (is_cut) {
    TFPROF_ASSIGN(named, NamedByFindings(session, trace, context));
  }
  std::string best;
  for (int i = 0; i < kTries; ++i) {
    PageTraceCounts now;
    TFPROF_ASSIGN(std::string block, TraceBlock(trace, LimitsFor(spans), named, &now, context));
    const double filled =
        static_cast<double>(EmbeddedBytes(block)) / static_cast<double>(std::max<int64_t>(room, 1));
    const bool is_better = filled <= 1 ? best.size() < block.size() || EmbeddedBytes(best) > room
                                       : best.size() > block.size();
    if (best.empty() || is_better) {
      best = std::move(block);
      *counts = now;
    }
    if (filled <= 1 && (now.IsWhole() || filled >= kFilled)) break;
    const size_t next = within(static_cast<double>(spans) * (kFilled + 1) / 2 / filled);
    if (next == spans) break;
    spans = next;
  }
  return best;
}

// Adds the trace, and what it leaves out. `trace`: null if no event of the profile has a time.
// `is_small`: the page has all of the trace, or enough room for a part; a page without a trace,
// that it is within -max-size. Else, unless `is_last`, the trace may be missing.
Result<void> AddTrace(const PageTrace* trace, bool is_last, Session& session, Page* page,
                      bool* is_small, Context& context) {
  const int64_t max = session.options.max_page_bytes;
  TFPROF_ASSIGN(const int64_t room, RoomForTrace(max, page, context));
  const bool has_room = room >= max / 4;
  int64_t over = -room;
  PageTraceCounts counts;
  // A span takes more than a byte.
  const bool fits =
      trace == nullptr || has_room || room >= static_cast<int64_t>(trace->spans.size());
  if (!fits && !is_last) return {};
  if (trace != nullptr) {
    TFPROF_ASSIGN(std::string block, TraceWithin(room, session, *trace, &counts, context));
    page->timeline = TraceCommand(session);
    over += EmbeddedBytes(block);
    page->answers.push_back({std::string(kTraceKey), std::move(block)});
  }
  *is_small = over <= 0 && (counts.IsWhole() || has_room);
  NoteLeftOut(counts, over, max, page);
  return {};
}

// Adds all answers, and prepares the trace beside them. `trace`: stays empty if no event of the
// profile has a time.
Result<void> MakeParts(Session& session, PageAnswers* answers, std::optional<PageTrace>* trace,
                       Context& context) {
  constexpr size_t kBytesOfEvent = 24;
  const size_t threads = ThreadsFor(session.profile.store->EventCount() * kBytesOfEvent);
  return TryEachTask(2, threads, context, [&](size_t task, Context& own) -> Result<void> {
    if (task == 0) {
      Result<PageTrace> made = TraceOf(session.profile, session.options, session.classic, own);
      if (!made && made.error().kind == ErrorKind::cancelled) return Failure(made.error());
      if (made) *trace = std::move(*made);
      return {};
    }
    for (const View& view : Views()) {
      if (IsAboutProfile(view, session)) TFPROF_TRY(answers->AddView(view, own));
    }
    return answers->AddMoments(own);
  });
}

// Makes the page, with fewer rows in tables until it is small.
Result<Page> MakePage(Session& session, Context& context) {
  Page page = NewPage(session);
  PageAnswers answers(session, &page);
  std::optional<PageTrace> made;
  TFPROF_TRY(MakeParts(session, &answers, &made, context));
  const PageTrace* const trace = made ? &*made : nullptr;
  const std::vector<std::string> left_out = page.left_out;
  size_t answered = page.answers.size();
  bool is_small = false, had_moments = false;
  TFPROF_TRY(AddTrace(trace, false, session, &page, &is_small, context));
  for (int64_t rows = kMostPageRows / 10; !is_small && rows >= kFewestRows; rows /= 10) {
    page.answers.resize(answered);
    page.left_out = left_out;
    page.left_out.push_back(fmt::format("tables have at most {} rows", rows));
    TFPROF_ASSIGN(const bool has_moments, answers.CutRows(rows, context));
    had_moments |= has_moments;
    answered = page.answers.size();
    TFPROF_TRY(AddTrace(trace, rows == kFewestRows, session, &page, &is_small, context));
  }
  if (had_moments) page.left_out.push_back("memory is shown at its peak and as a curve");
  return page;
}

}  // namespace

Result<Written> WriteReport(const WritingJob& job) {
  Session session = job.session;  // answers may open its other jobs
  session.options = job.query;
  session.given = job.given;
  TFPROF_TRY(CheckStep(*session.profile.store, *session.profile.indexes, job.query.place, {},
                       job.context));
  TFPROF_ASSIGN(const Page page, MakePage(session, job.context));
  TFPROF_TRY(EmitPage(page, job.sink, job.context));
  std::string what = Counted(static_cast<int64_t>(page.answers.size()), "answer");
  for (const std::string& sentence : page.left_out) what += ", " + sentence;
  return Written{std::move(what), {}};
}

}  // namespace tfprof
