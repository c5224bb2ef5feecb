// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "cli/message.h"
#include "cli/places.h"
#include "core/query/options.h"
#include "core/query/query.h"
#include "core/report/column_names.h"

namespace tfprof {
namespace {

// True if the report has no row, or only the root of a tree.
bool ShowsNone(const Report& report) {
  if (report.tables.empty()) return false;
  const Table& table = report.tables.front();
  return table.PrintedRows() == 0 || (table.rows == 1 && table.tree);
}

// Writes the text as an expression. A list is split at commas, and a word may lose backslashes: `.`
// replaces characters that need either.
std::string AsLiteral(std::string_view text) {
  constexpr std::string_view kSpecial = "$.|?*+()[]{}";
  std::string literal;
  for (const char c : text) {
    if (c == ',' || c == '\\' || c == '^') {
      literal += '.';
    } else if (kSpecial.find(c) != kSpecial.npos) {
      literal.append("[").append(1, c).append("]");
    } else {
      literal += c;
    }
  }
  return literal;
}

std::string Anywhere(const std::string& part) {
  return (part.starts_with(".*") ? "" : ".*") + part + (part.ends_with(".*") ? "" : ".*");
}

struct Suggestion {
  std::string pattern;
  int64_t names = 0;  // names that the expression matches
};

Result<int64_t> CountMatches(const PatternList& list, const std::vector<std::string_view>& names,
                             Context& context) {
  constexpr size_t kBytesPerPoll = size_t{1} << 20;
  int64_t count = 0;
  size_t bytes = 0;
  for (const std::string_view name : names) {
    count += list.Matches(name) ? 1 : 0;
    if ((bytes += name.size() + 1) < kBytesPerPoll) continue;
    TFPROF_TRY(Poll(context));
    bytes = 0;
  }
  return count;
}

// The first expression with matches among the likely corrections of `text`: the text anywhere in a
// name, in any case of letters, or as a literal.
Result<Suggestion> Suggest(const std::string& text, const std::vector<std::string_view>& names,
                           Context& context) {
  const std::string anywhere = Anywhere(text.find('|') == text.npos ? text : "(" + text + ")");
  const std::string literal = Anywhere(AsLiteral(text));
  std::vector<std::string> patterns = {anywhere, "(?i)" + anywhere};
  if (literal != anywhere) patterns.insert(patterns.end(), {literal, "(?i)" + literal});
  for (const std::string& pattern : patterns) {
    TFPROF_ASSIGN(const int64_t count, CountMatches(PatternList({pattern}), names, context));
    if (count > 0) return Suggestion{pattern, count};
  }
  return Suggestion();
}

Result<std::string> UnmatchedList(const PatternList& list,
                                  const std::vector<std::string_view>& names, Context& context) {
  if (list.MatchesAll() || list.empty()) return std::string();
  TFPROF_ASSIGN(const int64_t matched, CountMatches(list, names, context));
  if (matched > 0) return std::string();
  std::string hint;
  if (list.size() == 1) {
    TFPROF_ASSIGN(const Suggestion proposal, Suggest(list.patterns().front(), names, context));
    const bool one = proposal.names == 1;
    hint = proposal.names == 0
               ? ", nor part of one in any case"
               : fmt::format("; it is part of {} name{}: {} matches {}", proposal.names,
                             one ? "" : "s", Printable(proposal.pattern), one ? "it" : "them");
  }
  return fmt::format("no name matches {} in full{}", Printable(JoinList(list.patterns())), hint);
}

// A table shows 26.6% for the fraction 0.266: a user who compares it with 20 means 20%.
std::string AboveAll(const Where& term, const Report& report) {
  const ReportColumn* column = ColumnCalled(report, term.column);
  if (column == nullptr || column->spec.unit != Unit::fraction) return {};
  char* end = nullptr;
  const double number = std::strtod(term.value.c_str(), &end);
  if (*end != '\0' || !(number > 1)) return {};
  return fmt::format("{} is at most 1 (100%): -where '{} {} {}%' takes percent",
                     Printable(term.column), Printable(term.column), term.op,
                     Printable(term.value));
}

}  // namespace

Result<std::vector<std::string>> Unmatched(const Session& session, const View& view,
                                           const Query& query, const Report& report,
                                           Context& context) {
  std::vector<std::string> lines;
  const auto add = [&](std::string line) {
    if (!line.empty()) lines.push_back(std::move(line));
  };
  EachTerm(query.display.where, [&](const Where& term) { add(AboveAll(term, report)); });
  if (!ShowsNone(report)) return lines;
  if (query.place.FiltersPlaces()) add(DevicesWithoutEvents(*session.profile.store, query.place));
  if (!query.nodes.under.empty()) {
    add(fmt::format("nothing counted is in the scope {}", Printable(query.nodes.under)));
  } else if (!query.nodes.focus.empty()) {
    add(fmt::format("nothing counted has {} in its name or type",
                    Printable(JoinList(query.nodes.focus))));
  }
  const bool all =
      query.tree.start_name_regexes.MatchesAll() && query.tree.show_name_regexes.MatchesAll();
  if (!lines.empty() || all) return lines;

  Query any = query;  // leaves no name out
  any.nodes = {};
  any.tree = HidesNone();
  TFPROF_ASSIGN(const Report everything, Make(session.profile, view, any, context));
  const Table& table = everything.tables.front();
  const ReportColumn* names = table.Find("name");
  if (names == nullptr) return lines;
  for (const PatternList* list : {&query.tree.start_name_regexes, &query.tree.show_name_regexes}) {
    TFPROF_ASSIGN(std::string line, UnmatchedList(*list, names->texts, context));
    add(std::move(line));
  }
  return lines;
}

}  // namespace tfprof
