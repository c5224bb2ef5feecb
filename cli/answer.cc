// SPDX-License-Identifier: Apache-2.0
#include "cli/answer.h"

#include <algorithm>
#include <cstdlib>
#include <ostream>

#include "cli/advice.h"
#include "cli/checks.h"
#include "cli/fit_rows.h"
#include "cli/folding.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/own_word.h"
#include "cli/pager.h"
#include "cli/replacing.h"
#include "cli/row_names.h"
#include "cli/unmatched.h"
#include "core/options.h"
#include "core/refine.h"
#include "core/row_blocks.h"
#include "emitters/emitter.h"
#include "emitters/notes.h"

namespace tfprof {
namespace {

constexpr int kRowsAround = 6;  // of a table on the screen: heads, totals, others, the prompt

// Of a table with more rows than anybody reads: it has to be kept whole to be laid out.
constexpr size_t kMostRowsForPeople = 10'000;
constexpr size_t kMostRowsForPrograms = 10'000'000;  // that are kept, of a table not shown

bool IsGiven(const OptionSet& given, std::string_view name) {
  return given[OptionIndex(*FindOption(name))];
}

bool EnvironmentIs(const char* name, std::string_view value) {
  const char* text = std::getenv(name);
  return text != nullptr && text == value;
}

bool LocaleIsUtf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view text = value;
    return text.find("UTF-8") != text.npos || text.find("utf8") != text.npos;
  }
  return false;
}

bool ToScreen(const Session& session, const Query& query, const CommandLine& line) {
  return session.io.out_is_terminal && query.output.kind == OutputKind::stdout_text &&
         line.redirect.kind == Redirect::none;
}

Style StyleFor(const Session& session, const Query& query, const CommandLine& line) {
  Style style;
  style.utf8 = LocaleIsUtf8();
  const bool screen = ToScreen(session, query, line);
  style.columns = screen ? session.io.columns : 0;
  const char* no_color = std::getenv("NO_COLOR");
  style.numbered = screen && session.interactive;
  style.color =
      screen && (no_color == nullptr || *no_color == '\0') && !EnvironmentIs("TERM", "dumb");
  return style;
}

// The file that the answer goes to; empty: none, or standard output.
std::string FileOf(const Query& query, const Redirect& redirect) {
  if (redirect.kind == Redirect::pipe) return {};
  return redirect.kind != Redirect::none ? redirect.target : query.output.path;
}

// The original replaces what it is told to.
bool MayReplace(const Session& session, const Query& query) {
  return session.classic || query.overwrite;
}

Result<void> OpenDestination(Session& session, const Query& query, const Redirect& redirect,
                             Destination& destination) {
  const OutputKind kind = query.output.kind;
  if (redirect.kind != Redirect::none && kind != OutputKind::stdout_text) {
    return Fail(ErrorKind::usage, "-output and a redirection: one answer goes to one place");
  }
  if (kind == OutputKind::none) return {};
  if (redirect.kind == Redirect::pipe) return destination.OpenPipe(redirect.target);
  const std::string path = FileOf(query, redirect);
  if (path.empty()) return destination.OpenStream(session.io);
  TFPROF_TRY(CheckTarget(path, OpenFiles(*session.store), MayReplace(session, query)));
  return destination.OpenFile(path, redirect.kind == Redirect::append);
}

// What a reader of the numbers should know, once, where the format itself does not say it.
void TellNotes(Session& session, const Report& report, const Emitter& emitter) {
  if (emitter.name == "table" || emitter.name == "md" || emitter.name == "json") return;
  if (TableShowsNotes(report)) return;
  for (const Note& note : report.notes) {
    if (!session.told_notes.insert(note.what).second) continue;
    *session.io.err << "note: " << Printable(NoteText(note)) << "\n";
  }
}

// A timeline is written to a file per step that is named after it: FILE_0, FILE_1; the average is
// FILE_-1. Other answers are one.
Result<std::vector<Query>> OnePerFile(const View& view, const Query& query, const Store& store) {
  if (query.output.kind != OutputKind::timeline) return std::vector<Query>{query};
  std::vector<int64_t> steps{query.step};
  if (view.draws_one_step && (query.step < 0 || query.last_step >= 0)) {
    steps.clear();
    for (const Step& step : store.steps) {
      if (query.TakesStep(step.number)) steps.push_back(step.number);
    }
  }
  if (steps.empty()) {
    return Fail(ErrorKind::usage, "there is no step to draw: the profile has no run", {},
                "load the run metadata of a step too");
  }
  std::vector<Query> queries(steps.size(), query);
  for (size_t i = 0; i < steps.size(); ++i) {
    queries[i].step = steps[i];
    if (view.draws_one_step) queries[i].last_step = -1;
    queries[i].output.path += "_" + std::to_string(steps[i]);
  }
  return queries;
}

// What a line asks of a view, as far as it can be said without the profile.
struct Asked {
  Query query;
  const Emitter* emitter;
  bool all_rows = false;  // somebody said so
  bool to_fit = false;    // query.rows is what the screen has room for, and not what -n says
  std::string unread;     // filters in force that the view does not know: " -under -focus"
  CommandLine line;       // as it can be asked again: with the name in a row for its number
};

Result<Asked> Ask(const Session& session, const View& view, const CommandLine& line) {
  const std::span<const Word> words = std::span(line.words).subspan(1);
  TFPROF_ASSIGN(ParsedOptions parsed, ParseOptions(line, words, session.options, session.classic));
  const size_t own_words = view.subject == Subject::none ? 0 : 1;
  TFPROF_TRY(CheckOptions({view.name, view.options, view.classic, own_words}, line, parsed));
  TFPROF_TRY(TakeOwnWord(session, view, line, &parsed));
  const OptionSet given = parsed.given | session.given;
  Query query = WithDefaults(session, &view, std::move(parsed.query), given);
  TFPROF_TRY(CheckQuery(view, query));
  TFPROF_ASSIGN(const Emitter* emitter, EmitterFor(query));
  if ((view.options & kSelectOptions) != 0) query.order_column.clear();
  Asked asked{std::move(query), emitter, IsGiven(given, "n"), false, {}, line};
  for (Word& word : asked.line.words) {
    const bool own = own_words > 0 && !parsed.words.empty() && view.subject != Subject::rows;
    if (own && word.begin == parsed.words.front().begin) word.text = asked.query.subject;
  }
  if (!session.classic) asked.unread = DropUnread(view, &asked.query);
  return asked;
}

// A table on the screen of somebody who types goes through a pager where it is too long.
Result<void> Write(Session& session, const Report& report, const Asked& asked,
                   const CommandLine& line, Work& work) {
  const Query& query = asked.query;
  const Emitter* emitter = asked.emitter;
  Style style = StyleFor(session, query, line);
  const bool person = style.numbered;
  style.numbered = person && NameColumn(report) != nullptr;
  Destination destination;
  const std::string pager = person && query.format == "table" ? PagerCommand() : "";
  if (pager.empty()) {
    TFPROF_TRY(OpenDestination(session, query, line.redirect, destination));
    if (query.output.kind == OutputKind::none) return {};
    return destination.Commit(
        emitter->emit(report, query, style, destination.sink(), work.context));
  }
  Sink text;
  TFPROF_TRY(emitter->emit(report, query, style, text, work.context));
  TFPROF_TRY(NeedsPager(session, text.buffer) ? destination.OpenPipe(pager)
                                              : destination.OpenStream(session.io));
  destination.sink().Append(text.buffer);
  return destination.Commit();
}

Result<void> WriteAnswer(Session& session, const View& view, const CommandLine& line,
                         const Asked& asked, Work& work) {
  const Query& query = asked.query;
  const Emitter* emitter = asked.emitter;
  TFPROF_ASSIGN(Report report, view.make(session.store, *session.indexes, query, work.context));
  const Result<void> judged = CheckFailIf(report, query);  // told after the answer
  TFPROF_ASSIGN(Query left, FoldAsked(view, query, &report, work.context));
  if (asked.to_fit) left.rows = RowsOfEach(report, query.rows);
  TFPROF_TRY(Refine(report, left));
  TFPROF_TRY(CheckParts(*emitter, report));
  if (!emitter->streams) TFPROF_TRY(TakeBlocks(kMostRowsForPeople, &report, work.context));
  TFPROF_TRY(Write(session, report, asked, line, work));
  if (query.output.kind == OutputKind::none) return judged;
  TellNotes(session, report, *emitter);
  if (session.classic || query.format != "table") return judged;
  TFPROF_ASSIGN(const std::string lines, Unmatched(session, view, query, report, work.context));
  *session.io.err << lines << std::flush;
  session.last = std::make_shared<const Report>(std::move(report));
  session.last_line = asked.line;
  if (NameColumn(*session.last) != nullptr) session.named = session.last;
  return judged;
}

// As many as the question is about, or as the screen has; programs get all.
int64_t RowsForPeople(const Session& session, const View& view, const Query& query,
                      const CommandLine& line) {
  if (query.format != "table" && query.format != "md") return -1;
  if (view.rows_for_people > 0) return view.rows_for_people;
  if (query.format != "table" || !ToScreen(session, query, line)) return -1;
  return std::max(session.io.rows - kRowsAround, 5);
}

Result<int> AnswerUnmarked(Session& session, const View& view, const CommandLine& line,
                           std::string_view place) {
  TFPROF_ASSIGN(Asked asked, Ask(session, view, line));
  Query& query = asked.query;
  if (query.rows < 0 && !asked.all_rows) {
    query.rows = RowsForPeople(session, view, query, line);
    asked.to_fit = query.rows >= 0 && view.rows_for_people == 0;
  }
  TFPROF_TRY(TakeBase(session, view, &query));
  if (!asked.unread.empty()) {
    *session.io.err << "note: " << view.name << " looks at everything: it has no" << asked.unread
                    << "\n";
  }

  const std::vector<Error> invalid = InvalidRegexes(query, line);
  for (const Error& error : invalid) *session.io.err << Describe(error, place);
  const int status = invalid.empty() ? 0 : ExitStatus(invalid.front());
  if (status != 0 && query.format != "classic") return status;

  TFPROF_ASSIGN(const std::vector<Query> files, OnePerFile(view, query, *session.store));
  Work work(session);
  for (const Query& file : files) {
    asked.query = file;
    TFPROF_TRY(WriteAnswer(session, view, line, asked, work));
  }
  return status;
}

}  // namespace

Query WithDefaults(const Session& session, const View* view, Query query, const OptionSet& given) {
  if (query.format.empty()) {
    const bool classic = session.classic && (view == nullptr || view->classic);
    query.format = classic ? "classic" : "table";
  }
  query.original_advice = query.format == "classic";
  if (!IsGiven(given, "fold")) query.fold = FoldsByItself(session, query);
  if (session.classic || query.format == "classic") return query;
  if (view != nullptr && view->flat && !IsGiven(given, "max_depth")) {
    query.max_depth = Query::kAnyDepth;  // -n limits a list
  }
  if (!IsGiven(given, "order_by") && !query.select.empty()) {
    const std::string_view first = Info(query.select.front()).name;
    const std::span<const std::string_view> orders = OrderByNames();
    const auto order = std::find(orders.begin(), orders.end(), first);
    if (order != orders.end()) query.order_by = static_cast<OrderBy>(order - orders.begin());
  }
  return query;
}

std::string ListInForce(const Session& session) {
  const Query query = WithDefaults(session, nullptr, session.options, session.given);
  return ListOptions(query, session.classic);
}

Result<void> CheckQuestion(const Session& session, const View& view, const CommandLine& line,
                           const std::vector<Input>& inputs) {
  const Result<Asked> asked = Ask(session, view, line);
  if (!asked) return Failure(MarkOption(asked.error(), line));
  const std::string path = FileOf(asked->query, line.redirect);
  if (path.empty()) return {};
  return CheckTarget(path, PathsOf(inputs), MayReplace(session, asked->query));
}

Result<Report> WholeLastAnswer(Session& session) {
  const CommandLine& line = session.last_line;
  const View& view = *FindView(line.words.front().text);
  TFPROF_ASSIGN(Asked asked, Ask(session, view, line));
  asked.query.rows = -1;
  TFPROF_TRY(TakeBase(session, view, &asked.query));
  Work work(session);
  TFPROF_ASSIGN(Report report,
                view.make(session.store, *session.indexes, asked.query, work.context));
  asked.query.fold = false;
  TFPROF_ASSIGN(const Query left, FoldAsked(view, asked.query, &report, work.context));
  TFPROF_TRY(Refine(report, left));
  TFPROF_TRY(TakeBlocks(kMostRowsForPrograms, &report, work.context));
  return report;
}

Result<int> Answer(Session& session, const View& view, const CommandLine& line,
                   std::string_view place) {
  Result<int> status = AnswerUnmarked(session, view, line, place);
  if (!status) return Failure(MarkOption(std::move(status).error(), line));
  return status;
}

}  // namespace tfprof
