// SPDX-License-Identifier: Apache-2.0
#include "cli/export/page_answers.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/export/commands.h"
#include "cli/export/source_text.h"
#include "cli/export/writing.h"
#include "cli/help.h"
#include "cli/shell/commands.h"
#include "core/base/attributes.h"
#include "core/query/options.h"
#include "core/report/keep_rows.h"
#include "loaders/inputs/ranks.h"
#include "views/timeline/timeline.h"

namespace tfprof {
namespace {

using PageWords = std::vector<std::string>;

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
  PageWords words = {"tfprof"};
  if (session.base != nullptr) words.insert(words.end(), {"--base", session.base_path});
  if (!session.classic && !session.opened.empty()) {  // flags hold for all files
    const Input& any = session.opened.front();
    if (!any.format.empty()) words.insert(words.end(), {"--as", any.format});
    if (!any.run.empty()) words.insert(words.end(), {"--run", any.run});
    if (!any.ranks.empty()) words.insert(words.end(), {"--ranks", RanksText(any.ranks)});
  }
  for (const Input& input : session.opened) words.push_back(input.path);
  return JoinWords(words).text;
}

// The program and its version, without the line feed.
std::string ProgramText() {
  std::string text = VersionText();
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

// Every measure that rows can have: the page leaves out the columns without values.
std::string AllMeasuresText() {
  std::string names(Info(Attribute::micros).name);  // first: it orders the rows
  for (const AttributeInfo& attribute : Attributes()) {
    if (attribute.measures == 0 || attribute.attribute == Attribute::micros) continue;
    names.append(",").append(attribute.name);
  }
  return names;
}

// Returns the command with these words at its end.
CommandLine WithWords(const CommandLine& line, const PageWords& added) {
  PageWords words;
  for (const Word& word : line.words) words.push_back(word.text);
  words.insert(words.end(), added.begin(), added.end());
  CommandLine joined = JoinWords(words);
  joined.redirect = line.redirect;
  return joined;
}

}  // namespace

std::vector<std::string> CommandsOf(const View& view) {
  PageWords own = {std::string(view.name)};
  if (view.classic && (view.options & kSelectOptions) != 0) {
    own.insert(own.end(), {"-select", AllMeasuresText()});
  }
  if (view.tree) own.insert(own.end(), {"-max_depth", "1000"});
  std::vector<std::string> commands = {JoinWords(own).text};
  const auto add = [&](const Option& option, std::string_view value) {
    const std::string name = "-" + std::string(option.name);
    commands.push_back(JoinWords({std::string(view.name), name, std::string(value)}).text);
  };
  const Option& by = *FindOption("by");
  for (const std::string_view kind : by.words) {
    Query query;
    const bool has = by.set(query, kind) && std::ranges::count(view.rows_by, query.rows_by) > 0;
    if (has) add(by, kind);
  }
  if (Reads(view.options, *FindOption("all"))) {
    commands.push_back(JoinWords({std::string(view.name), "-all"}).text);
  }
  for (const std::string_view other : ComparedViews()) {
    if (view.subject == Subject::base) add(*FindOption("view"), other);
  }
  const Option& at = *FindOption("at");
  if (!Reads(view.options, at)) return commands;
  for (const std::string_view moment : at.words) add(at, moment);
  return commands;
}

std::string ChangesCommand(const View& view, const Session& session) {
  if (!view.classic || !view.tree || session.base == nullptr) return {};
  return "flame changes.html -diff -view " + std::string(view.name);
}

Page NewPage(const Session& session) {
  Page page;
  page.title = TitleOf(session.opened);
  page.opened = OpenedBy(session);
  page.program = ProgramText();
  std::string filters;
  for (const Option* option : FiltersOf(session))
    filters += " " + AsTyped(*option, session.options);
  if (!filters.empty()) page.left_out.push_back("the page has only what these select:" + filters);
  return page;
}

bool IsAboutProfile(const View& view, const Session& session) {
  if (view.subject == Subject::base) return session.base != nullptr;
  if (view.shows_jobs) return session.inputs.size() > 1;
  return view.subject == Subject::none || view.subject == Subject::rows ||
         view.subject == Subject::scope;
}

PageEntry EntryOf(const View& view, const Session& session) {
  PageEntry entry;
  entry.view = view.name;
  entry.summary = view.summary;
  entry.help = view.help;
  entry.lacks = Lacks(view, *session.profile.store);
  const std::vector<std::string> commands = CommandsOf(view);
  for (const std::string& command : commands) {
    const bool is_profile = command.ends_with(" -by category") || command.ends_with(" -by program");
    const bool is_own = view.tree && command == commands.front();
    if (entry.lacks.empty() && (is_own || is_profile)) entry.flames.push_back(command);
  }
  return entry;
}

CommandLine WithFilters(const Session& session, const CommandLine& line) {
  const std::string_view name = line.words.empty() ? std::string_view() : line.words.front().text;
  const View* const view = FindView(name);
  const WritingCommand* const writing = FindWritingCommand(name);
  const unsigned read = view != nullptr ? view->options : writing != nullptr ? writing->options : 0;
  PageWords added;
  for (const Option* option : FiltersOf(session)) {
    const bool has = std::ranges::any_of(line.words, [&](const Word& word) {
      return IsOption(word.text) && OptionName(word.text) == option->name;
    });
    if (!Reads(read, *option) || has) continue;
    added.insert(added.end(), {"-" + std::string(option->name), option->print(session.options)});
  }
  return WithWords(line, added);
}

CommandLine InFormat(const CommandLine& line, const std::string& format) {
  return WithWords(line, {"-format", format});
}

std::vector<std::string> MomentCommands(const Report& over_time) {
  constexpr int64_t kTimes = 12;
  const Table& table = over_time.tables.front();
  const ReportColumn *const start = table.Find("start_us"), *const length =
                                                                table.Find("duration_us");
  if (table.rows == 0) return {};
  int64_t first_ps = start->integers[0], last_ps = first_ps;
  for (size_t row = 0; row < table.rows; ++row) {
    first_ps = std::min(first_ps, start->integers[row]);
    last_ps = std::max(last_ps, SaturatingAdd(start->integers[row], length->integers[row]));
  }
  std::vector<std::string> commands;
  for (int64_t i = 1; i <= kTimes; ++i) {
    const int64_t time_ps = first_ps + (last_ps - first_ps) / kTimes * i;
    // As coarse as a reader sees no difference.
    std::string text = std::to_string(time_ps) + "ps";
    if (last_ps - first_ps >= 1000 * kPsPerUs) text = std::to_string(time_ps / kPsPerUs) + "us";
    std::string command = JoinWords({"memory", "-at", text}).text;
    if (commands.empty() || commands.back() != command) commands.push_back(std::move(command));
  }
  return commands;
}

Result<PageReport> ReportOf(Session& session, const CommandLine& line, int64_t most_rows,
                            Context& context) {
  TFPROF_ASSIGN(Answered answered, AnswerFor(session, InFormat(line, "json"), most_rows, context));
  Report& report = answered.report;
  if (report.blocks) TFPROF_TRY(TakeBlocks(static_cast<size_t>(most_rows), &report, context));
  if (!session.options.sources.empty()) {
    SourceFiles files(session.options.sources);
    AddSourceText(&files, &report);
  }
  return PageReport{std::move(answered), WithFilters(session, line).text};
}

Result<std::string> BlockOf(const PageReport& report, Context& context) {
  const Answered& answered = report.answered;
  return AnswerBlock(answered.report, answered.query, {report.command, answered.unread}, context);
}

Result<std::string> BlockFor(Session& session, const CommandLine& line, int64_t most_rows,
                             Context& context) {
  for (const View& view : Views()) {
    if (line.text == ChangesCommand(view, session)) return ChangesOf(session, view, context);
  }
  TFPROF_ASSIGN(const PageReport report, ReportOf(session, line, most_rows, context));
  return BlockOf(report, context);
}

Result<PageTraceMaker> TraceOf(const Profile& profile, const Query& options, bool classic,
                               Context& context) {
  Query query = options;
  query.place.exact = profile.store->IsTrace() && !classic;
  query.tree = HidesNone();
  TFPROF_ASSIGN(Trace trace, Timeline(profile.store, *profile.indexes, query, context));
  return PageTraceMaker(std::move(trace));
}

std::string TraceCommand(const Session& session) {
  return WithFilters(session, JoinWords({"timeline", "trace.json.gz"})).text;
}

}  // namespace tfprof
