// SPDX-License-Identifier: Apache-2.0
// `report OUT.html`: every view that answers the open profile, on one page (emitters/page/page.h).
#include <fmt/core.h>

#include <algorithm>

#include "cli/ask/question.h"
#include "cli/export/commands.h"
#include "cli/help.h"
#include "core/base/units.h"
#include "core/query/options.h"
#include "core/report/keep_rows.h"
#include "emitters/page/page.h"
#include "views/timeline/timeline.h"
#include "views/view.h"

namespace tfprof {
namespace {

// Rows of a table on a page. More would make it slow to load, and nobody reads them: the commands
// that it shows print all.
constexpr int64_t kMostRows = 10'000;

// Spans of the trace. A span takes 5 to 10 bytes.
constexpr size_t kMostSpans = 5'000'000;
constexpr size_t kFewestSpans = 1'000;

constexpr int64_t kFrameBytes = 100'000;  // a page without answers

using Words = std::vector<std::string>;

// Every measure that rows can have: the page leaves out the columns without values.
std::string AllMeasuresText() {
  std::string names(Info(Attribute::micros).name);  // first: it orders the rows
  for (const AttributeInfo& attribute : Attributes()) {
    if (attribute.measures == 0 || attribute.attribute == Attribute::micros) continue;
    names.append(",").append(attribute.name);
  }
  return names;
}

// Returns the commands whose answers belong to a view: itself, and its other kinds of rows.
std::vector<Words> CommandsOf(const View& view) {
  Words own = {std::string(view.name)};
  if (view.classic && (view.options & kSelectOptions) != 0) {
    own.insert(own.end(), {"-select", AllMeasuresText()});
  }
  if (view.tree) own.insert(own.end(), {"-max_depth", "1000"});
  std::vector<Words> commands = {own};
  const auto add = [&](const Option& option, std::string_view value) {
    commands.push_back(
        {std::string(view.name), "-" + std::string(option.name), std::string(value)});
  };
  const Option& by = *FindOption("by");
  for (const std::string_view kind : by.words) {
    Query query;
    const bool has = by.set(query, kind) && std::ranges::count(view.rows_by, query.rows_by) > 0;
    if (has) add(by, kind);
  }
  for (const std::string_view other : ComparedViews()) {
    if (view.subject == Subject::base) add(*FindOption("view"), other);
  }
  const Option& at = *FindOption("at");
  if (!Reads(view.options, at)) return commands;
  for (const std::string_view moment : at.words) add(at, moment);
  return commands;
}

// True if the view answers without a name or a text.
bool IsAboutProfile(const View& view, const Session& session) {
  if (view.subject == Subject::base) return session.base != nullptr;
  if (view.shows_jobs) return session.inputs.size() > 1;
  return view.subject == Subject::none || view.subject == Subject::rows ||
         view.subject == Subject::scope;
}

// Returns an answer as a block. `rows`: how many its tables have.
Result<std::string> BlockOf(const WritingJob& job, const View& view, Words words, size_t* rows) {
  words.insert(words.end(), {"-format", "json"});
  TFPROF_ASSIGN(const ParsedQuestion question, ParseQuestion(job.session, view, JoinWords(words)));
  Query query = question.query;
  if (view.subject == Subject::base) query.diff.base = job.session.base;
  if (query.display.rows < 0 || query.display.rows > kMostRows) query.display.rows = kMostRows;
  TFPROF_ASSIGN(Report report, Answer(job.session.profile, view, query, job.context));
  if (report.blocks) TFPROF_TRY(TakeBlocks(kMostRows, &report, job.context));
  for (const Table& table : report.tables) *rows += table.PrintedRows();
  return AnswerBlock(report, query, job.context);
}

// Adds the answers about a view; if the profile has none, says why.
Result<void> AddView(const WritingJob& job, const View& view, Page* page) {
  PageEntry entry;
  entry.view = view.name;
  entry.summary = view.summary;
  entry.help = view.help;
  entry.tree = view.tree;
  entry.lacks = Lacks(view, *job.session.profile.store);
  for (const Words& words : CommandsOf(view)) {
    if (!entry.lacks.empty()) break;
    size_t rows = 0;
    Result<std::string> block = BlockOf(job, view, words, &rows);
    if (!block && block.error().kind == ErrorKind::cancelled) return Failure(block.error());
    if (!block && entry.answers.empty()) entry.lacks = block.error().what;
    const bool is_further = !entry.answers.empty();
    if (!block || (is_further && rows == 0)) continue;
    const std::string command = JoinWords(words).text;
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
  const StorePtr& store = job.session.profile.store;
  Query query = job.query;
  query.place.exact = store->IsTrace() && !job.session.classic;
  query.tree = HidesNone();
  int64_t room = job.query.max_page_bytes - kFrameBytes;
  for (const PageAnswer& answer : page->answers) room -= EmbeddedBytes(answer.block);
  PageTraceCounts counts;
  size_t most = kMostSpans;
  for (;;) {
    Result<Trace> trace = Timeline(store, *job.session.profile.indexes, query, job.context);
    if (!trace && trace.error().kind == ErrorKind::cancelled) return Failure(trace.error());
    if (!trace) return {};
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

std::string TitleOf(const std::vector<Input>& inputs) {
  std::string title;
  for (const Input& input : inputs) {
    std::string_view path = input.path;
    while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    title += title.empty() ? "" : ", ";
    title += path.substr(path.rfind('/') + 1);
  }
  return title;
}

std::string OpenedBy(const Session& session) {
  Words words = {"tfprof"};
  if (session.base != nullptr) words.insert(words.end(), {"--base", session.base_path});
  for (const Input& input : session.opened) words.push_back(input.path);
  return JoinWords(words).text;
}

// The program and its version, without the line feed.
std::string ProgramText() {
  std::string text = VersionText();
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

Result<Written> WriteReport(const WritingJob& job) {
  Page page{.title = TitleOf(job.session.opened),
            .opened = OpenedBy(job.session),
            .program = ProgramText(),
            .left_out = {},
            .entries = {},
            .answers = {}};
  for (const View& view : Views()) {
    if (IsAboutProfile(view, job.session)) TFPROF_TRY(AddView(job, view, &page));
  }
  TFPROF_TRY(AddTrace(job, &page));
  TFPROF_TRY(EmitPage(page, job.sink, job.context));
  std::string what = Counted(static_cast<int64_t>(page.answers.size()), "answer");
  for (const std::string& sentence : page.left_out) what += ", " + sentence;
  return Written{std::move(what), {}};
}

}  // namespace tfprof
