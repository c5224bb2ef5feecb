// SPDX-License-Identifier: Apache-2.0
#include "cli/ask/question.h"

#include <algorithm>

#include "cli/answer/destination.h"
#include "cli/answer/folding.h"
#include "cli/ask/checks.h"
#include "cli/ask/row_names.h"
#include "cli/export/writing.h"
#include "core/query/options.h"
#include "core/query/query.h"
#include "core/report/column_names.h"
#include "views/subject.h"

namespace tfprof {
namespace {

// The base of watch may be what it saw first, which has no path.
bool HasBase(const Session& session) {
  return session.base != nullptr || !session.base_path.empty();
}

// A path that begins elsewhere, such as ../x, becomes an absolute path: the query is about that
// scope, not about its part inside the current scope.
void LeadPath(const ScopePath& path, Query* query) {
  query->subject = path.anywhere ? path.rest : path.Full();
  if (query->subject.empty()) query->subject = "/";
  if (!path.anywhere) query->nodes.under.clear();
}

// Reads the scope of `ls SCOPE` or `scope SCOPE`; - is the scope before the last `cd`.
Result<void> TakeScope(const Session& session, const CommandLine& line, const Word& word,
                       Query* query) {
  if (word.text == "-") {
    TFPROF_ASSIGN(const std::string before, ScopeBefore(session, line, word));
    LeadPath({before, {}, false}, query);
    return {};
  }
  TFPROF_TRY(CheckFlagBefore(line, word));
  TFPROF_ASSIGN(const ScopePath path, PathOrRow(session, line, word, query->nodes.under));
  LeadPath(path, query);
  return {};
}

// The name of the subject. For a row of types, given by its number or its name there, that is the
// name of the type: nodes may have the same name.
Result<std::string> SubjectOf(const Session& session, const CommandLine& line, const Word& word) {
  TFPROF_ASSIGN(std::string name, NameOrRow(session, line, word));
  const bool is_row = name != word.text || IsRowOfLast(session, name);
  if (is_row && FindView(session.named->view)->row_meaning == RowMeaning::types)
    name.insert(0, kTypePrefix);
  return name;
}

constexpr int kRowsAround =
    6;  // lines around a table on the screen: heads, totals, omitted rows, the prompt

int64_t RowsForHumans(const Session& session, const View& view, const Query& query,
                      const CommandLine& line) {
  if (!IsForHumans(query.display)) return -1;
  if (view.rows_for_humans > 0) return view.rows_for_humans;
  if (query.display.format != "table" || !ToScreen(session, query, line)) return -1;
  return std::max(session.io.rows - kRowsAround, 5);
}

// Human-readable tables show the column of -order_by, even if -select lacks it.
void SelectOrder(Query* query) {
  const bool is_table = IsForHumans(query->display);
  const bool is_text =
      query->output.kind == OutputKind::stdout_text || query->output.kind == OutputKind::file;
  if (!is_table || !is_text) return;
  const std::optional<Measure> by = MeasureOf(query->display.order_by);
  if (!by) return;
  const Attribute attribute = AttributeOf(*by).attribute;
  if (!query->display.Selects(attribute)) query->display.select.push_back(attribute);
}

// Reads the argument of a view (View::subject) into the query: a row count, a subject, or a base to
// compare with. Errors: usage.
Result<void> TakeArgument(const Session& session, const View& view, const CommandLine& line,
                          ParsedOptions* parsed) {
  if (view.subject == Subject::none) return {};
  if (parsed->words.empty()) {
    if (view.subject == Subject::rows || view.subject == Subject::scope) return {};
    if (view.subject == Subject::base) {
      const bool has_other_side =
          parsed->query.diff.with_step >= 0 || !parsed->query.programs.with_stage.empty();
      if (HasBase(session) || has_other_side) return {};
      return UsageError(
          "nothing to compare with",
          "diff BASE, or --base BASE, or load BASE as base; diff -step 3 -with_step 7 "
          "compares two steps, diff -stage A -with_stage B two stages of compilation");
    }
    const std::string name(view.name);
    return Refused(line, line.words.front(), name + " needs a name", name + " NAME");
  }
  const Word& word = parsed->words.front();
  if (view.subject == Subject::rows) {
    if (Has(parsed->given, "n")) return {};  // -n gives it, too: `last`
    Result<void> set = SetOption(*FindOption("n"), word.text, parsed->query);
    return set ? set : Failure(AtWord(std::move(set).error(), line, word));
  }
  if (word.text.empty()) return Refused(line, word, "an empty word");
  parsed->query.subject = word.text;
  if (view.subject == Subject::scope) return TakeScope(session, line, word, &parsed->query);
  if (view.subject != Subject::name) return {};
  TFPROF_ASSIGN(parsed->query.subject, SubjectOf(session, line, word));
  if (!IsRoot(parsed->query.subject)) return {};
  return WholeProfile(line, word, "`summary` covers the whole profile; `ls /` lists its contents");
}

// The original's outputs, texts and ids keep its accounting.
bool CountsExactly(const Session& session, const Query& query) {
  const bool of_original = query.output.kind == OutputKind::proto ||
                           query.output.kind == OutputKind::pprof ||
                           query.output.kind == OutputKind::timeline;
  return !session.classic && !of_original && !query.display.original_ids &&
         query.display.format != "classic";
}

// The unit that a column declares decides.
bool HasFlops(const View& view, std::string_view column) {
  const ColumnDef* const def = ColumnCalled(view.tables(), column);
  return def != nullptr && (def->unit == Unit::flops || def->unit == Unit::flops_per_s);
}

// Counting takes time: only if the answer shows flops, or filters or orders by them.
bool NeedsFlops(const View& view, const Query& query) {
  if (view.counts_flops) return true;
  if ((view.options & kSelectOptions) == 0) return false;
  const auto has_flops = [&](std::string_view column) { return HasFlops(view, column); };
  bool filters = false;
  EachTerm(query.display.where, [&](const Where& term) { filters |= has_flops(term.column); });
  return filters || query.display.Selects(Attribute::float_ops) ||
         query.display.order_by == OrderBy::float_ops || query.tree.min_float_ops != kNoInt ||
         std::ranges::any_of(query.display.columns, has_flops) || !IsForHumans(query.display);
}

// The options in force after a command about `view` set `given` of them; the other options get the
// default of the mode. `view` null: for a listing of options.
Query WithDefaults(const Session& session, const View* view, Query query, const OptionSet& given) {
  if (query.display.format.empty()) {
    const bool classic = session.classic && (view == nullptr || view->classic);
    query.display.format = classic ? "classic" : "table";
  }
  query.advise.original =
      query.display.format == "classic" || query.output.kind == OutputKind::proto;
  query.place.exact = CountsExactly(session, query);
  if (!Has(given, "fold")) query.display.fold = FoldsByItself(session, query.display);
  if (session.classic || query.display.format == "classic") return query;
  if (!Has(given, "frames")) query.display.all_frames = query.display.original_ids;
  DropMinimumsNotGiven(given, &query.tree);
  if (view != nullptr && !view->tree && !Has(given, "max_depth")) {
    query.tree.max_depth = TreeFilter::kAnyDepth;  // -n limits a list
  }
  const bool by_further = view != nullptr && OrdersByFurther(*view, query.display);
  if (!Has(given, "order_by") || by_further)
    query.display.order_by = OrderOf(query.display).value_or(query.display.order_by);
  query.place.flops.counts = query.place.exact && view != nullptr && NeedsFlops(*view, query);
  return query;
}

// Views order their rows by attributes; other columns order the finished rows of a list.
void OrderByAttribute(const View& view, bool is_given, Display* display) {
  const bool only_further = !OrderOf(*display) && !display->further.empty();
  if (!is_given && only_further) display->order_column = display->further.front();
  const bool keeps = !view.tree && OrdersByFurther(view, *display);
  display->order_column = keeps ? FurtherColumn(display->order_column) : std::string_view();
}

// The ending of the file that receives the answer chooses the format: op > types.csv.
void FormatByEnding(const Redirect& redirect, Query* query) {
  const bool to_file = redirect.kind == Redirect::write || redirect.kind == Redirect::append;
  std::string_view path;
  if (to_file) path = redirect.target;
  if (query->output.kind == OutputKind::file) path = query->output.path;
  const size_t dot = path.rfind('.');
  if (dot == path.npos) return;
  const std::string_view ending = path.substr(dot + 1);
  const Emitter* emitter = FindEmitter(ending);
  if (emitter != nullptr) query->display.format = emitter->name;
}

}  // namespace

Result<void> TakeBase(Session& session, const View& view, Query* query) {
  if (view.subject != Subject::base) return {};
  if (!query->subject.empty() && query->subject != session.base_path) {
    session.base_path = query->subject;
    session.base.reset();
  }
  if (!HasBase(session)) return {};  // two steps of one profile
  TFPROF_TRY(OpenBase(session));
  query->diff.base = session.base;
  return {};
}

bool IsForHumans(const Display& display) {
  return display.format == "table" || display.format == "md";
}

Result<ParsedQuestion> ParseQuestion(const Session& session, const View& view,
                                     const CommandLine& line) {
  const std::span<const Word> words = std::span(line.words).subspan(1);
  TFPROF_ASSIGN(ParsedOptions parsed, ParseOptions(line, words, session.options, session.classic));
  return CompleteQuestion(session, view, line, std::move(parsed));
}

Result<ParsedQuestion> CompleteQuestion(const Session& session, const View& view,
                                        const CommandLine& line, ParsedOptions parsed) {
  // The original takes options only.
  const bool takes_word = view.subject != Subject::none && !(session.classic && view.classic);
  const size_t max_arguments = takes_word ? 1 : 0;
  TFPROF_TRY(CheckOptions({view.name, view.options, view.classic, max_arguments}, line, parsed));
  if (takes_word) TFPROF_TRY(TakeArgument(session, view, line, &parsed));
  const OptionSet given = parsed.given | session.given;
  if (!session.classic && !Has(given, "format")) FormatByEnding(line.redirect, &parsed.query);
  Query query = WithDefaults(session, &view, std::move(parsed.query), given);
  TFPROF_TRY(CheckQuery(view, query));
  TFPROF_ASSIGN(const Emitter* emitter, EmitterFor(query));
  const bool by_attribute = (view.options & kSelectOptions) != 0;
  if (by_attribute) OrderByAttribute(view, Has(given, "order_by"), &query.display);
  const bool by_measure = query.display.order_column.empty();
  if (by_attribute && by_measure && !session.classic && Has(given, "order_by")) SelectOrder(&query);
  ParsedQuestion question{std::move(query), emitter, Has(given, "n"), false, {}, line};
  for (Word& word : question.line.words) {
    const bool own = max_arguments > 0 && !parsed.words.empty() && view.subject != Subject::rows;
    if (own && word.begin == parsed.words.front().begin) word.text = question.query.subject;
  }
  if (session.classic) return question;
  question.unread = DropUnread(view, &question.query);
  // A view of the original accepts all its options.
  for (const Word& word : parsed.given_words) {
    const std::string name(OptionName(word.text));
    const bool listed = (question.unread + " ").find(" -" + name + " ") != std::string::npos;
    if (!listed && !Reads(view.options, *FindOption(name))) question.unread += " -" + name;
  }
  return question;
}

void SetRowsForHumans(const Session& session, const View& view, const CommandLine& line,
                      ParsedQuestion* question) {
  if (question->query.display.rows >= 0 || question->all_rows) return;
  question->query.display.rows = RowsForHumans(session, view, question->query, line);
  question->to_fit = question->query.display.rows >= 0 && view.rows_for_humans == 0;
}

Result<std::vector<Query>> OnePerFile(const View& view, const Query& query, const Store& store) {
  if (query.output.kind != OutputKind::timeline) return std::vector<Query>{query};
  std::vector<int64_t> steps{query.place.step};
  if (view.exports_one_step && (query.place.step < 0 || query.place.last_step >= 0)) {
    steps.clear();
    for (const Step& step : store.steps) {
      if (query.place.TakesStep(step.number)) steps.push_back(step.number);
    }
  }
  if (steps.empty()) {
    if (store.IsTrace()) {
      return UsageError(
          std::string(view.name) + " draws steps of graph runs, which a trace has not",
          "timeline OUT.json draws the trace");
    }
    return UsageError("no step to draw: the profile has no run",
                      "also load the run metadata of a step");
  }
  std::vector<Query> queries(steps.size(), query);
  for (size_t i = 0; i < steps.size(); ++i) {
    queries[i].place.step = steps[i];
    if (view.exports_one_step) queries[i].place.last_step = -1;
    queries[i].output.path += "_" + std::to_string(steps[i]);
  }
  return queries;
}

void DropMinimumsNotGiven(const OptionSet& given, TreeFilter* tree) {
  for (const MinOption& one : kMinOptions) {
    if (!Has(given, one.option)) tree->*one.min = kNoInt;
  }
}

std::optional<OrderBy> OrderOf(const Display& display) {
  for (const Attribute attribute : display.select) {
    if (Info(attribute).measures > 0) return OrderOf(Info(attribute).first_measure);
  }
  return std::nullopt;
}

std::string ListActiveFilters(const Session& session) {
  const Query query = WithDefaults(session, nullptr, session.options, session.given);
  return ListOptions(query, session.classic);
}

Result<EventsRead> CheckQuestion(const Session& session, const View& view, const CommandLine& line,
                                 const std::vector<Input>& inputs) {
  const Result<ParsedQuestion> question = ParseQuestion(session, view, line);
  if (!question) return Failure(MarkOption(question.error(), line));
  TFPROF_TRY(CheckFile(session, question->query, line.redirect, PathsOf(inputs)));
  return ReadBy(view, question->query);
}

}  // namespace tfprof
