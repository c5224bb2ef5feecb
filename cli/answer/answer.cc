// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>

#include "analysis/nodes/code_tree.h"
#include "cli/answer/destination.h"
#include "cli/answer/folding.h"
#include "cli/answer/original_messages.h"
#include "cli/ask/checks.h"
#include "cli/ask/question.h"
#include "cli/ask/row_names.h"
#include "cli/export/commands.h"
#include "cli/message.h"
#include "cli/places.h"
#include "core/base/nearest.h"
#include "core/report/changes.h"
#include "core/report/refine.h"
#include "emitters/emitter.h"
#include "views/view.h"

namespace tfprof {
namespace {

// Keeps the answer for commands about the last answer.
void Remember(const CommandLine& line, Report report, Session* session) {
  session->last = std::make_shared<const Report>(std::move(report));
  session->last_line = line;
  if (NameColumn(*session->last) != nullptr) session->named = session->last;
}

Result<void> WriteAnswer(Session& session, const View& view, const CommandLine& line,
                         const ParsedQuestion& question, Work& work) {
  const Query& query = question.query;
  const Emitter* emitter = question.emitter;
  Result<Report> made = Make(session.profile, view, query, work.context);
  if (!made && view.subject == Subject::name)
    return Failure(WithSearchedPlaces(made.error(), query.place));
  TFPROF_ASSIGN(Report report, std::move(made));
  const Result<void> judged = CheckFailIf(report, query);  // reported after the answer
  TFPROF_ASSIGN(Display left, FoldRows(view, query, FoldedTable(session), &report, work.context));
  if (HidesUnchanged(view, query)) HideUnchanged(&report);
  if (question.to_fit) left.rows = RowsOfEach(report, query.display, query.display.rows);
  TFPROF_TRY(Refine(report, left));
  if (IsForHumans(query.display)) CutFollowing(left.rows, &report);
  LimitNames(query.display, report);
  TFPROF_TRY(PrepareFor(*emitter, &report, work.context));
  if (question.to_fit) {
    const Style style = StyleFor(session, report, query, line);
    TFPROF_TRY(FitLines(query, *emitter, style, session.io.rows - 1, &report, work.context));
  }
  TFPROF_TRY(WriteReport(session, report, query, *emitter, line, work));
  TFPROF_TRY(PrintWrittenAsOriginal(session, view, report, query, work.context));
  if (query.output.kind == OutputKind::none) return judged;
  PrintOtherTables(session, report, query.display);
  PrintNotes(session, report, *emitter);
  if (session.classic || query.display.format != "table") return judged;
  TFPROF_ASSIGN(const std::vector<std::string> lines,
                Unmatched(session, view, query, report, work.context));
  for (const std::string& line : lines) PrintMessage(line, session.io);
  Remember(question.line, std::move(report), &session);
  return judged;
}

std::string UnreadText(const View& view, const std::string& unread) {
  if (unread.empty()) return {};
  return fmt::format("{} covers the whole profile and ignores{}", view.name, unread);
}

// True if frames of `code` have that text; without frames the view says so.
Result<bool> IsInFrames(Session& session, const std::string& text, const Query& query) {
  Work work(session);
  const TraceNodes::Key key{query.place.OfPlaces(), NodeGranularity::one_per_stack};
  TFPROF_ASSIGN(const Profile nodes, ProfileOfNodes(session, key, work.context));
  if (!nodes.store->has_code_traces) return true;
  const CodeFrames frames = query.display.all_frames ? CodeFrames::all : CodeFrames::own;
  TFPROF_ASSIGN(const auto tree, nodes.indexes->Get<CodeTree>(frames, work.context));
  return !FramesNamed(*tree, text).empty();
}

// `scope train` is `scope -under train`, for the views of the original; `code train` also takes
// what frames have. Error: usage, there is no such scope.
Result<void> CountUnderSubject(Session& session, const View& view, const CommandLine& line,
                               Query* query) {
  const std::string name = std::exchange(query->subject, {});
  if (name.empty()) return {};
  if (name == "/") {
    query->nodes.under.clear();
    return {};
  }
  Result<std::string> scope = ScopeAt(session, {query->nodes.under, name, true});
  if (!scope && &view == &CodeView()) {
    TFPROF_ASSIGN(const bool in_frames, IsInFrames(session, name, *query));
    if (in_frames) {
      query->nodes.under = name;
      return {};
    }
  }
  const auto word = std::ranges::find(line.words, name, &Word::text);
  if (!scope && word != line.words.end()) {
    return Failure(AtWord(std::move(scope).error(), line, *word));
  }
  if (!scope) return Failure(std::move(scope).error());
  query->nodes.under = std::move(*scope);
  return {};
}

}  // namespace

bool HidesUnchanged(const View& view, const Query& query) {
  if (view.subject != Subject::base || !IsForHumans(query.display)) return false;
  bool hides = !query.diff.unchanged;
  EachTerm(query.display.where, [&](const Where& term) { hides &= term.column != "status"; });
  return hides;
}

Result<void> AskAbout(Session& session, const View& view, const CommandLine& line,
                      ParsedQuestion* question) {
  Query& query = question->query;
  if (view.classic) TFPROF_TRY(CountUnderSubject(session, view, question->line, &query));
  SetRowsForHumans(session, view, line, question);
  TFPROF_TRY(TakeBase(session, view, &query));
  TFPROF_TRY(TakeJobs(session, view, &query));
  return CheckPlaces(session, query, view.device_is_allocator);
}

Result<int> WriteAnswers(Session& session, const View& view, const CommandLine& line,
                         ParsedQuestion question, std::string_view place) {
  const Query& query = question.query;
  ReportChanges(&session.files, ChangeReporting::once, session.io);
  if (query.diff.base != nullptr)
    ReportChanges(&session.base_files, ChangeReporting::once, session.io);
  if (!question.unread.empty()) {
    PrintMessage("note: " + UnreadText(view, question.unread), session.io);
  }

  const std::vector<Error> invalid = InvalidRegexes(query, line);
  for (const Error& error : invalid)
    *session.io.err << Describe(error, place, ErrorColumns(session.io));
  const int status = invalid.empty() ? 0 : ExitStatus(invalid.front());
  if (status != 0 && query.display.format != "classic") return status;

  TFPROF_ASSIGN(const std::vector<Query> files, OnePerFile(view, query, *session.profile.store));
  Work work(session);
  for (const Query& file : files) {
    question.query = file;
    TFPROF_TRY(WriteAnswer(session, view, line, question, work));
  }
  return status;
}

Result<const View*> ViewNamed(std::string_view name) {
  if (const View* view = FindView(name)) return view;
  return UsageError("no view '" + std::string(name) + "'",
                    OneOf(std::string(name), NamesIn(Views())));
}

Result<Answered> AnswerFor(Session& session, const CommandLine& line, int64_t most_rows,
                           Context& context) {
  if (line.words.empty()) return UsageError("no view", "for example: op -n 10");
  if (line.redirect.kind != Redirect::none) return UsageError("a report is not redirected");
  TFPROF_ASSIGN(const View* const view, ViewNamed(line.words.front().text));
  const auto answer = [&]() -> Result<Answered> {
    TFPROF_ASSIGN(ParsedQuestion question, ParseQuestion(session, *view, line));
    TFPROF_TRY(AskAbout(session, *view, line, &question));
    Query& query = question.query;
    const std::vector<Error> invalid = InvalidRegexes(query, line);
    if (!invalid.empty()) return Failure(invalid.front());
    if (most_rows >= 0 && (query.display.rows < 0 || query.display.rows > most_rows)) {
      query.display.rows = most_rows;
    }
    Result<Report> made = Make(session.profile, *view, query, context);
    if (!made && view->subject == Subject::name)
      return Failure(WithSearchedPlaces(made.error(), query.place));
    TFPROF_ASSIGN(Report report, std::move(made));
    TFPROF_ASSIGN(const Display left, FoldRows(*view, query, nullptr, &report, context));
    if (HidesUnchanged(*view, query)) HideUnchanged(&report);
    TFPROF_TRY(Refine(report, left));
    return Answered{std::move(report), std::move(query), UnreadText(*view, question.unread)};
  };
  Result<Answered> answered = answer();
  if (!answered) return Failure(MarkOption(std::move(answered).error(), line));
  return answered;
}

Result<Report> UnlimitedLastAnswer(Session& session, const std::vector<std::string>& picked,
                                   Context& context) {
  const CommandLine& line = session.last_line;
  const View& view = *FindView(line.words.front().text);
  TFPROF_ASSIGN(ParsedQuestion question, ParseQuestion(session, view, line));
  question.query.display.rows = -1;
  question.query.display.order_column.clear();
  if (!picked.empty()) question.query.display.columns = picked;
  TFPROF_TRY(TakeBase(session, view, &question.query));
  TFPROF_TRY(TakeJobs(session, view, &question.query));
  question.query.display.fold = false;
  return Answer(session.profile, view, question.query, context, FoldedTable(session));
}

Result<int> AnswerLine(Session& session, const View& view, const CommandLine& line,
                       std::string_view place) {
  const auto answer = [&]() -> Result<int> {
    TFPROF_ASSIGN(ParsedQuestion question, ParseQuestion(session, view, line));
    TFPROF_TRY(AskAbout(session, view, line, &question));
    return WriteAnswers(session, view, line, std::move(question), place);
  };
  Result<int> status = answer();
  if (!status) return Failure(MarkOption(std::move(status).error(), line));
  return status;
}

}  // namespace tfprof
