// SPDX-License-Identifier: Apache-2.0
// `report OUT.html`: every view that answers the open profile, on one page (emitters/page/page.h).
#include <fmt/core.h>

#include <optional>
#include <utility>

#include "analysis/steps/step_selection.h"
#include "cli/export/commands.h"
#include "cli/export/page_answers.h"
#include "cli/export/report_answers.h"
#include "cli/export/report_trace.h"
#include "core/base/parallel.h"
#include "emitters/page/page.h"
#include "views/view.h"

namespace tfprof {
namespace {

constexpr int64_t kFewestRows = 10;  // of a table

// Adds all answers, and prepares the trace beside them. `trace`: stays empty if no event of the
// profile has a time.
Result<void> MakeParts(Session& session, ReportAnswers* answers, std::optional<PageTrace>* trace,
                       Context& context) {
  constexpr size_t kBytesOfEvent = 24;
  const size_t threads = ThreadsFor(session.profile.store->EventCount() * kBytesOfEvent);
  return TryEachTask(2, threads, context, [&](size_t task, Context& own) -> Result<void> {
    if (task == 0) {
      Result<PageTraceMaker> maker =
          TraceOf(session.profile, session.options, session.classic, own);
      if (!maker && maker.error().kind == ErrorKind::cancelled) return Failure(maker.error());
      if (maker) {
        TFPROF_ASSIGN(*trace, maker->Finish(own));
      }
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
  ReportAnswers answers(session, &page);
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
