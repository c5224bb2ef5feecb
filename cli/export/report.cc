// SPDX-License-Identifier: Apache-2.0
// `report OUT.html`: every view that answers the open profile, on one page (emitters/page/page.h).
#include <fmt/core.h>

#include <algorithm>

#include "cli/export/commands.h"
#include "cli/export/page_answers.h"
#include "core/base/units.h"
#include "emitters/page/page.h"
#include "views/view.h"

namespace tfprof {
namespace {

// Spans of the trace. A span takes 5 to 10 bytes.
constexpr size_t kMostSpans = 5'000'000;
constexpr size_t kFewestSpans = 1'000;

constexpr int64_t kFrameBytes = 100'000;  // a page without answers

// Adds the answers about a view; if the profile has none, says why.
Result<void> AddView(const View& view, Session& session, Page* page, Context& context) {
  PageEntry entry = EntryOf(view, session);
  for (const std::string& command : CommandsOf(view)) {
    if (!entry.lacks.empty()) break;
    size_t rows = 0;
    TFPROF_ASSIGN(const CommandLine line, SplitShell(command));
    Result<std::string> block = BlockOf(session, line, &rows, context);
    if (!block && block.error().kind == ErrorKind::cancelled) return Failure(block.error());
    if (!block && entry.answers.empty()) entry.lacks = block.error().what;
    const bool is_further = !entry.answers.empty();
    if (!block || (is_further && rows == 0)) continue;
    entry.answers.push_back(command);
    page->answers.push_back({command, command, std::move(*block)});
  }
  page->entries.push_back(std::move(entry));
  return {};
}

int64_t EmbeddedBytes(const std::string& block) {
  return static_cast<int64_t>((block.size() + 2) / 3 * 4);  // in Base64
}

// Adds the trace, unless no event of the profile has a time. If the page would be larger than
// -max-size, the trace has fewer spans.
Result<void> AddTrace(const WritingJob& job, Page* page) {
  int64_t room = job.query.max_page_bytes - kFrameBytes;
  for (const PageAnswer& answer : page->answers) room -= EmbeddedBytes(answer.block);
  const Session& session = job.session;
  const Result<PageTrace> trace = TraceOf(session.profile, job.query, session.classic, job.context);
  if (!trace && trace.error().kind == ErrorKind::cancelled) return Failure(trace.error());
  if (!trace) return {};
  PageTraceCounts counts;
  size_t most = kMostSpans;
  for (;;) {
    TFPROF_ASSIGN(std::string block, TraceBlock(*trace, most, &counts, job.context));
    const int64_t bytes = EmbeddedBytes(block);
    if (bytes <= room || counts.kept <= kFewestSpans) {
      page->answers.push_back({"timeline", "timeline OUT.json", std::move(block)});
      break;
    }
    const double part = std::max(0.1, 0.9 * static_cast<double>(room) / static_cast<double>(bytes));
    most = std::max(kFewestSpans, static_cast<size_t>(part * static_cast<double>(counts.kept)));
  }
  if (counts.kept < counts.all) {
    page->left_out.push_back(
        fmt::format("the trace has the {} longest of {} spans", counts.kept, counts.all));
  }
  return {};
}

}  // namespace

Result<Written> WriteReport(const WritingJob& job) {
  Page page = NewPage(job.session);
  Session session = job.session;  // answers may open its other jobs
  for (const View& view : Views()) {
    if (IsAboutProfile(view, session)) TFPROF_TRY(AddView(view, session, &page, job.context));
  }
  TFPROF_TRY(AddTrace(job, &page));
  TFPROF_TRY(EmitPage(page, job.sink, job.context));
  std::string what = Counted(static_cast<int64_t>(page.answers.size()), "answer");
  for (const std::string& sentence : page.left_out) what += ", " + sentence;
  return Written{std::move(what), {}};
}

}  // namespace tfprof
