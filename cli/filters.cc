// SPDX-License-Identifier: Apache-2.0
#include "cli/filters.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/message.h"
#include "core/options.h"
#include "views/subject.h"

namespace tfprof {
namespace {

constexpr size_t kMostRemembered = 100;

// The options that narrow, as far as they are not what they are by themselves.
std::vector<std::string> InForce(const Session& session) {
  constexpr unsigned kNarrowing = kTreeOptions | kStepOption | kPlaceOptions | kNameOptions;
  std::vector<std::string> lines;
  const Query none;
  for (const Option& option : Options()) {
    if (!Reads(kNarrowing, option) || option.name == "max_depth") continue;
    const std::string value = option.print(session.options);
    if (value != option.print(none)) lines.push_back(fmt::format("-{} {}", option.name, value));
  }
  return lines;
}

void TellFilters(const Session& session, Sink& out) {
  const std::vector<std::string> lines = InForce(session);
  if (lines.empty()) {
    out.Append("no filters\n");
    return;
  }
  std::string text = "filters:";
  for (const std::string& line : lines) text += "  " + Printable(line);
  out.Append(text + "\n");
}

std::vector<std::string> NamesIn(const Session& session, const CommandLine& line) {
  std::vector<std::string> names;
  for (size_t i = 1; i < line.words.size(); ++i) {
    names.push_back(NameOrRow(session, line.words[i].text));
  }
  return names;
}

// Sets an option and says what is in force now.
Result<int> Change(Session& session, std::string_view option, const auto& change, Sink& out) {
  RememberOptions(session);
  change(session.options);
  session.given.set(OptionIndex(*FindOption(option)));
  TellFilters(session, out);
  return 0;
}

// An expression for names that have the text in them, in any case of letters.
std::string PatternOf(const std::string& text) {
  std::string pattern = "(?i).*";
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '_' || c == '/' || static_cast<unsigned char>(c) >= 0x80;
    if (c == ',') {
      pattern += '.';  // a comma separates expressions
    } else {
      if (!plain) pattern += '\\';
      pattern += c;
    }
  }
  return pattern + ".*";
}

std::vector<std::string> PatternsOf(const std::vector<std::string>& names) {
  std::vector<std::string> patterns;
  for (const std::string& name : names) patterns.push_back(PatternOf(name));
  return patterns;
}

std::string Parent(const std::string& scope) {
  const size_t slash = scope.rfind('/');
  return slash == std::string::npos ? std::string() : scope.substr(0, slash);
}

// The store and indexes that have the nodes: of a trace those made from it.
struct Nodes {
  StorePtr store;
  const Indexes* indexes = nullptr;
  std::shared_ptr<const TraceNodes> made;
};

Result<Nodes> NodesOf(Session& session, Context& context) {
  Nodes nodes{session.store, session.indexes.get(), nullptr};
  TFPROF_ASSIGN(nodes.made, NodesIfTrace(session.store, *session.indexes, context));
  if (nodes.made == nullptr) return nodes;
  nodes.store = nodes.made->store;
  nodes.indexes = nodes.made->indexes.get();
  return nodes;
}

// The scope that `name` means where one is in `under`: one in it, or one of the whole profile.
Result<std::string> ScopeNamed(Session& session, const std::string& name) {
  Work work(session);
  TFPROF_ASSIGN(const Nodes nodes, NodesOf(session, work.context));
  TFPROF_ASSIGN(const NamedThing thing,
                FindThing(*nodes.store, *nodes.indexes, name, session.options.under, work.context));
  if (thing.kind != NamedThing::op) return std::string(thing.name);
  return Fail(ErrorKind::usage, fmt::format("'{}' is an operation type, not a scope", name), {},
              "focus " + name);
}

Result<int> GoTo(Session& session, std::string scope, Sink& out) {
  return Change(
      session, "under", [&](Query& query) { query.under = std::move(scope); }, out);
}

Result<int> Restore(Session& session, std::vector<KeptOptions>* from, std::vector<KeptOptions>* to,
                    std::string_view what, Sink& out) {
  if (from->empty()) return Fail(ErrorKind::usage, fmt::format("nothing to {}", what));
  to->push_back({session.options, session.given});
  session.options = std::move(from->back().options);
  session.given = from->back().given;
  from->pop_back();
  TellFilters(session, out);
  return 0;
}

}  // namespace

void RememberOptions(Session& session) {
  session.past.push_back({session.options, session.given});
  if (session.past.size() > kMostRemembered) session.past.erase(session.past.begin());
  session.undone.clear();
}

std::string PromptOf(const Session& session) {
  const std::string& under = session.options.under;
  const size_t others = InForce(session).size() - (under.empty() ? 0 : 1);
  std::string prompt = "tfprof";
  if (!under.empty()) prompt += " " + Printable(under);
  if (others > 0) prompt += fmt::format(" [{} filter{}]", others, others == 1 ? "" : "s");
  return prompt + "> ";
}

std::string NameOrRow(const Session& session, const std::string& word) {
  const bool number =
      !word.empty() && word.size() < 9 &&
      std::all_of(word.begin(), word.end(), [](char c) { return '0' <= c && c <= '9'; });
  if (!number || session.named == nullptr) return word;
  const Table& table = session.named->tables.front();
  const size_t row = static_cast<size_t>(std::stoul(word));
  if (row == 0 || row > table.PrintedRows()) return word;
  const std::string_view name = NameColumn(*session.named)->texts[row - 1];
  return name.data() == nullptr ? word : std::string(name);
}

const ReportColumn* NameColumn(const Report& report) {
  if (report.tables.empty()) return nullptr;
  for (const ReportColumn& column : report.tables.front().columns) {
    const std::string& id = column.spec.id;
    if (column.spec.type == CellType::text && (id == "name" || id.ends_with("_name"))) {
      return &column;
    }
  }
  return nullptr;
}

Result<int> RunFocus(Session& session, const CommandLine& line, std::string_view, Sink& out) {
  return Change(
      session, "focus", [&](Query& query) { query.focus = NamesIn(session, line); }, out);
}

Result<int> RunIgnore(Session& session, const CommandLine& line, std::string_view, Sink& out) {
  const auto change = [&](Query& query) {
    if (line.words.size() == 1) query.ignore.clear();
    for (std::string& name : NamesIn(session, line)) query.ignore.push_back(std::move(name));
  };
  return Change(session, "ignore", change, out);
}

Result<int> RunShow(Session& session, const CommandLine& line, std::string_view, Sink& out) {
  const auto change = [&](Query& query) {
    std::vector<std::string> patterns = PatternsOf(NamesIn(session, line));
    if (patterns.empty()) patterns.emplace_back(".*");
    query.show_name_regexes = PatternList(std::move(patterns));
  };
  return Change(session, "show_name_regexes", change, out);
}

Result<int> RunHide(Session& session, const CommandLine& line, std::string_view, Sink& out) {
  const auto change = [&](Query& query) {
    std::vector<std::string> patterns;
    if (line.words.size() > 1) patterns = query.hide_name_regexes.patterns();
    for (std::string& pattern : PatternsOf(NamesIn(session, line))) {
      patterns.push_back(std::move(pattern));
    }
    query.hide_name_regexes = PatternList(std::move(patterns));
  };
  return Change(session, "hide_name_regexes", change, out);
}

Result<int> RunCd(Session& session, const CommandLine& line, std::string_view place, Sink& out) {
  if (line.words.size() == 1 || line.words[1].text == "/") return GoTo(session, {}, out);
  if (line.words[1].text == "..") return RunUp(session, line, place, out);
  const std::string name = NameOrRow(session, line.words[1].text);
  Result<std::string> scope = ScopeNamed(session, name);
  if (!scope) return Failure(AtWord(std::move(scope).error(), line, line.words[1]));
  return GoTo(session, std::move(*scope), out);
}

Result<int> RunUp(Session& session, const CommandLine&, std::string_view, Sink& out) {
  if (session.options.under.empty()) {
    return Fail(ErrorKind::usage, "this is the whole profile already");
  }
  return GoTo(session, Parent(session.options.under), out);
}

Result<int> RunUndo(Session& session, const CommandLine&, std::string_view, Sink& out) {
  return Restore(session, &session.past, &session.undone, "undo", out);
}

Result<int> RunRedo(Session& session, const CommandLine&, std::string_view, Sink& out) {
  return Restore(session, &session.undone, &session.past, "redo", out);
}

Result<int> RunReset(Session& session, const CommandLine&, std::string_view, Sink& out) {
  RememberOptions(session);
  const Query none;
  for (const Option& option : Options()) {
    constexpr unsigned kNarrowing = kTreeOptions | kStepOption | kPlaceOptions | kNameOptions;
    if (!Reads(kNarrowing, option)) continue;
    TFPROF_TRY(SetOption(option, option.print(none), session.options));
    session.given.reset(OptionIndex(option));
  }
  TellFilters(session, out);
  return 0;
}

Result<int> RunFilters(Session& session, const CommandLine&, std::string_view, Sink& out) {
  TellFilters(session, out);
  return 0;
}

}  // namespace tfprof
