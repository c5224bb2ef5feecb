// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/commands.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/ask/row_names.h"
#include "cli/message.h"
#include "core/query/options.h"
#include "core/query/query.h"
#include "views/subject.h"

namespace tfprof {
namespace {

constexpr size_t kMaxRemembered = 100;
constexpr size_t kMaxNames = 1000;  // max names of a folded row in a filter

// The filters as they are typed, without the depth that trees are shown to.
std::vector<std::string> FilterTexts(const Session& session) {
  std::vector<std::string> texts;
  for (const Option* option : FiltersOf(session)) {
    if (option->name != "max_depth") texts.push_back(AsTyped(*option, session.options));
  }
  return texts;
}

void PrintFilters(const Session& session, Sink& out) {
  const std::vector<std::string> filters = FilterTexts(session);
  if (filters.empty()) return out.Append("no filters\n");
  std::string text = "filters:";
  for (const std::string& filter : filters) text += "  " + Printable(filter);
  out.Append(text + "\n");
}

std::string WithoutSlash(const std::string& name) {  // `ls` appends it to scopes
  return name.size() > 1 && name.ends_with('/') ? name.substr(0, name.size() - 1) : name;
}

struct FilterWords {
  std::vector<std::string> texts;    // parts of names
  std::vector<std::string> of_rows;  // whole names
};

Result<FilterWords> WordsOf(const Session& session, const CommandLine& line) {
  FilterWords words;
  for (const Word& word : std::span(line.words).subspan(1)) {
    if (word.text.empty() || IsOption(word.text)) {
      return Refused(line, word, line.words.front().text + " takes parts of names");
    }
    TFPROF_ASSIGN(const std::vector<std::string> names, NamesOrRow(session, line, word));
    if (names.size() > kMaxNames) {  // each one is compared with the name of every node
      return Refused(line, word,
                     fmt::format("'{}' is {} folded rows", Printable(word.text), names.size()),
                     line.words.front().text + " takes part of their names");
    }
    for (const std::string& name : names) {
      if (IsRoot(name)) {
        return WholeProfile(line, word, line.words.front().text + " takes part of it");
      }
      if (name == word.text) {
        words.texts.push_back(name);
      } else {
        words.of_rows.push_back(WithoutSlash(name));
      }
    }
  }
  return words;
}

// The values of -focus and -ignore, where =NAME is a whole name.
std::vector<std::string> TextsOf(const FilterWords& words) {
  std::vector<std::string> texts = words.texts;
  for (const std::string& name : words.of_rows) texts.push_back("=" + name);
  return texts;
}

// Sets an option and prints the filters in force.
Result<int> Change(Session& session, std::string_view option, const auto& change, Sink& out) {
  RememberOptions(session, {session.options, session.given});
  change(session.options);
  session.given.set(OptionIndex(*FindOption(option)));
  PrintFilters(session, out);
  return 0;
}

// The text as a literal expression.
std::string Escaped(const std::string& text) {
  std::string pattern;
  for (const char c : text) {
    const bool is_quote = c == '"' || c == '\'';
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '_' || c == '/' || static_cast<unsigned char>(c) >= 0x80;
    if (!plain && c != ',' && !is_quote) pattern += '\\';
    pattern += c == ',' || is_quote ? '.' : c;  // a list is split at commas and loses quotes
  }
  return pattern;
}

// Texts match parts of names, in any case of letters.
std::vector<std::string> PatternsOf(const FilterWords& words) {
  std::vector<std::string> patterns;
  for (const std::string& text : words.texts) patterns.push_back("(?i).*" + Escaped(text) + ".*");
  for (const std::string& name : words.of_rows) patterns.push_back(Escaped(name));
  return patterns;
}

Failure NoScopeAround() {
  return UsageError("already at the whole profile", "`cd SCOPE` enters a scope that `ls` lists");
}

Result<int> GoTo(Session& session, std::string scope, Sink& out) {
  session.came_from = session.options.nodes.under;
  return Change(
      session, "under", [&](Query& query) { query.nodes.under = std::move(scope); }, out);
}

// Undoes the last change in `from`: of options, or of how the last answer is shown.
Result<int> Restore(Session& session, std::vector<KeptOptions>* from, std::vector<KeptOptions>* to,
                    std::string_view what, std::string_view hint, std::string_view place,
                    Sink& out) {
  if (from->empty()) return UsageError(fmt::format("nothing to {}", what), std::string(hint));
  KeptOptions back = std::move(from->back());
  from->pop_back();
  const bool shows = !back.shown.words.empty();
  to->push_back({session.options, session.given, shows ? session.last_line : CommandLine()});
  session.options = std::move(back.options);
  session.given = back.given;
  if (shows) return Execute(session, back.shown, place);
  PrintFilters(session, out);
  return 0;
}

}  // namespace

Result<std::string> ScopeAt(Session& session, const ScopePath& path) {
  if (path.rest.empty()) return path.from;
  Work work(session);
  TFPROF_ASSIGN(const Profile nodes, ProfileOfNodes(session, {}, work.context));
  const std::string name = path.anywhere ? path.rest : path.Full();
  TFPROF_ASSIGN(const NamedEntity entity, FindEntity(*nodes.store, *nodes.indexes, name,
                                                     path.anywhere ? path.from : "", work.context));
  if (entity.kind == NamedEntity::scope) return entity.name;
  const bool type = entity.kind == NamedEntity::op;
  return UsageError(
      fmt::format("'{}' is {}, not a scope", entity.name, KindWithArticle(entity.kind)),
      (type ? "focus " : "peek ") + name);
}

std::vector<const Option*> FiltersOf(const Session& session) {
  std::vector<const Option*> filters;
  const Query none;
  for (const Option& option : Options()) {
    if (!Reads(kNarrowingOptions, option)) continue;
    const bool differs = option.print(session.options) != option.print(none);
    const bool cuts_lists = option.name == "max_depth" && session.given[OptionIndex(option)];
    if (differs || cuts_lists) filters.push_back(&option);
  }
  return filters;
}

void RememberOptions(Session& session, KeptOptions before) {
  session.past.push_back(std::move(before));
  if (session.past.size() > kMaxRemembered) session.past.erase(session.past.begin());
  session.undone.clear();
}

std::string PromptOf(const Session& session) {
  const std::string& under = session.options.nodes.under;
  const size_t others = FilterTexts(session).size() - (under.empty() ? 0 : 1);
  std::string prompt = "tfprof";
  if (!under.empty()) prompt += " " + Printable(under);
  if (others > 0) prompt += fmt::format(" [{} filter{}]", others, others == 1 ? "" : "s");
  return prompt + "> ";
}

Result<int> RunFocus(Session& session, const CommandLine& line, std::string_view, Sink& out) {
  TFPROF_ASSIGN(const FilterWords words, WordsOf(session, line));
  return Change(
      session, "focus", [&](Query& query) { query.nodes.focus = TextsOf(words); }, out);
}

Result<int> RunIgnore(Session& session, const CommandLine& line, std::string_view, Sink& out) {
  TFPROF_ASSIGN(const FilterWords words, WordsOf(session, line));
  const auto change = [&](Query& query) {
    if (line.words.size() == 1) query.nodes.ignore.clear();
    for (std::string& text : TextsOf(words)) query.nodes.ignore.push_back(std::move(text));
  };
  return Change(session, "ignore", change, out);
}

Result<int> RunShow(Session& session, const CommandLine& line, std::string_view, Sink& out) {
  TFPROF_ASSIGN(const FilterWords words, WordsOf(session, line));
  const auto change = [&](Query& query) {
    std::vector<std::string> patterns = PatternsOf(words);
    if (patterns.empty()) patterns.emplace_back(".*");
    query.tree.show_name_regexes = PatternList(std::move(patterns));
  };
  return Change(session, "show_name_regexes", change, out);
}

Result<int> RunHide(Session& session, const CommandLine& line, std::string_view, Sink& out) {
  TFPROF_ASSIGN(const FilterWords words, WordsOf(session, line));
  const auto change = [&](Query& query) {
    std::vector<std::string> patterns;
    if (line.words.size() > 1) patterns = query.tree.hide_name_regexes.patterns();
    for (std::string& pattern : PatternsOf(words)) patterns.push_back(std::move(pattern));
    query.tree.hide_name_regexes = PatternList(std::move(patterns));
  };
  return Change(session, "hide_name_regexes", change, out);
}

Result<int> RunCd(Session& session, const CommandLine& line, std::string_view, Sink& out) {
  if (line.words.size() == 1) return GoTo(session, {}, out);
  const Word& word = line.words[1];
  if (word.text == "-") {
    TFPROF_ASSIGN(std::string before, ScopeBefore(session, line, word));
    return GoTo(session, std::move(before), out);
  }
  const std::string& under = session.options.nodes.under;
  TFPROF_ASSIGN(const ScopePath path, PathOrRow(session, line, word, under));
  const bool up = word.text.starts_with("..") && path.Full().empty();
  if (up && under.empty()) return NoScopeAround();
  Result<std::string> scope = ScopeAt(session, path);
  if (!scope) return Failure(AtWord(std::move(scope).error(), line, word));
  return GoTo(session, std::move(*scope), out);
}

Result<int> RunUp(Session& session, const CommandLine&, std::string_view, Sink& out) {
  const std::string& under = session.options.nodes.under;
  if (under.empty()) return NoScopeAround();
  return GoTo(session, ReadScopePath("..", under).from, out);
}

Result<int> RunUndo(Session& session, const CommandLine&, std::string_view place, Sink& out) {
  return Restore(session, &session.past, &session.undone, "undo",
                 "it reverts cd, focus, ignore, show, hide, set, preset, reset and unfold", place,
                 out);
}

Result<int> RunRedo(Session& session, const CommandLine&, std::string_view place, Sink& out) {
  return Restore(session, &session.undone, &session.past, "redo", "it repeats what undo reverted",
                 place, out);
}

Result<void> ResetOption(Session& session, const Option& option) {
  TFPROF_TRY(SetOption(option, option.print(Query{}), session.options));
  session.given.reset(OptionIndex(option));
  return {};
}

Result<int> RunReset(Session& session, const CommandLine&, std::string_view, Sink& out) {
  RememberOptions(session, {session.options, session.given});
  for (const Option& option : Options()) {
    if (Reads(kNarrowingOptions, option)) TFPROF_TRY(ResetOption(session, option));
  }
  PrintFilters(session, out);
  return 0;
}

Result<int> RunFilters(Session& session, const CommandLine&, std::string_view, Sink& out) {
  PrintFilters(session, out);
  return 0;
}

}  // namespace tfprof
