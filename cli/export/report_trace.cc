// SPDX-License-Identifier: Apache-2.0
// The trace of a page on disk, in the room that -max-size leaves beside the answers.
#include "cli/export/report_trace.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/answer/answer.h"
#include "cli/ask/command.h"
#include "cli/export/page_answers.h"
#include "core/text/units.h"
#include "emitters/page/trace/block.h"

namespace tfprof {
namespace {

constexpr size_t kMostSpans = 5'000'000;  // of the trace: more would take browsers too much memory
constexpr size_t kFewestSpans = 1'000;

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

}  // namespace

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

}  // namespace tfprof
