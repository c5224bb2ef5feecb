// SPDX-License-Identifier: Apache-2.0
#include "cli/ask/checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/answer/answer.h"
#include "cli/choices.h"
#include "cli/export/writing.h"
#include "cli/message.h"
#include "core/base/nearest.h"
#include "core/query/options.h"
#include "views/diff/limits.h"

namespace tfprof {
namespace {

std::string OptionsReadBy(const Readable& readable) {
  std::string names = std::string(readable.command) + " reads:";
  for (const Option& option : Options()) {
    if (Reads(readable.options, option)) names += " -" + std::string(option.name);
  }
  return names;
}

std::string RegexHint(const PatternList& list) {
  std::string hint = "escape special characters with \\: \\( \\[ \\*";
  if (list.size() > 1) hint += "; a comma separates expressions: write . to match one";
  return hint;
}

Result<void> CheckDiff(const Query& query) {
  TFPROF_TRY(LimitsOf(query));
  const std::vector<std::string_view> views = ComparedViews();
  const bool known = std::find(views.begin(), views.end(), query.view) != views.end();
  if (!query.view.empty() && !known) {
    return UsageError("-view: diff cannot compare '" + query.view + "'", OneOf(query.view, views));
  }
  if (query.diff.with_step >= 0 && !query.place.SelectsSteps()) {
    return UsageError("-with_step: no -step to compare with", "diff -step 3 -with_step 7");
  }
  const Query none;
  for (const Option& option : Options()) {
    if (!option.name.starts_with("min_") || option.print(query) == option.print(none)) continue;
    return UsageError(
        "-" + std::string(option.name) + ": a row that is small on one side would appear as gone",
        "-where 'time_us > 100us' filters rows of the answer");
  }
  return {};
}

// Lists the valid orders; a heading is an order, too.
std::string OrdersHint(std::string_view typed) {
  std::string hint = OneOf(typed, OrderNames());
  std::vector<std::string_view> headings;
  for (const AttributeInfo& info : Attributes()) {
    if (OrderCalled(info.title)) headings.push_back(info.title);
  }
  const std::string near = Nearest(typed, headings);
  const bool suggests = near.empty() || hint.starts_with("did");
  return suggests ? hint : "did you mean '" + near + "'? " + hint;
}

Result<void> CheckRowsBy(const View& view, const Query& query) {
  if (!Reads(view.options, *FindOption("by")) || query.rows_by == RowsBy::each) return {};
  if (std::ranges::find(view.rows_by, query.rows_by) != view.rows_by.end()) return {};
  const std::string typed = FindOption("by")->print(query);
  return UsageError(fmt::format("-by: {} has no rows by '{}'", view.name, typed),
                    fmt::format("one of: {}", fmt::join(RowsByNames(view), ", ")));
}

}  // namespace

Result<void> CheckOptions(const Readable& readable, const CommandLine& line,
                          const ParsedOptions& parsed) {
  const std::string command(readable.command);
  if (parsed.words.size() > readable.max_arguments) {
    const Word& word = parsed.words[readable.max_arguments];
    TFPROF_TRY(CheckFlagBefore(line, word));
    const std::string_view takes = readable.max_arguments > 0 ? "no further words" : "options";
    return Refused(line, word, fmt::format("{} takes {}, not '{}'", command, takes, word.text),
                   "options start with -, for example -max_depth 3");
  }
  for (const Word& word : parsed.given_words) {
    const Option& option = *FindOption(OptionName(word.text));
    if (Reads(readable.options, option) || (readable.original && option.original)) continue;
    return Refused(line, word, command + " does not use -" + std::string(option.name),
                   OptionsReadBy(readable));
  }
  return {};
}

bool OrdersByFurther(const View& view, const Display& display) {
  const std::string_view id = FurtherColumn(display.order_column);
  // Trees are ordered by totals, of which shares are a part.
  return !id.empty() && (!view.tree || id == "share_pct");
}

Result<void> CheckQuery(const View& view, const Query& query) {
  const bool known =
      OrderCalled(query.display.order_column).has_value() || OrdersByFurther(view, query.display);
  const bool by_attribute = (view.options & kSelectOptions) != 0;
  if (by_attribute && !query.display.order_column.empty() && !known) {
    return UsageError("-order_by: " + std::string(view.name) + " has no order '" +
                          query.display.order_column + "'",
                      OrdersHint(query.display.order_column));
  }
  TFPROF_TRY(CheckRowsBy(view, query));
  if ((view.options & kAdviseOptions) != 0) TFPROF_TRY(CheckAdvice(query));
  if ((view.options & kDiffOptions) != 0) TFPROF_TRY(CheckDiff(query));
  if (query.display.format == "classic" && !view.classic) {
    return UsageError(std::string(view.name) + " has no classic text", "-format table");
  }
  const bool has_columns = !query.display.columns.empty() || !query.display.further.empty();
  if (query.display.format == "classic" && has_columns) {
    return UsageError("classic text has fixed columns",
                      "choose them with -select, or add -format table");
  }
  return {};
}

Failure NoFormat(const std::string& name) {
  return UsageError("-format: no format '" + name + "'", OneOf(name, NamesIn(Emitters())));
}

Result<const Emitter*> EmitterFor(const Query& query) {
  for (const auto& [kind, name] : {std::pair{OutputKind::timeline, "classic_timeline"},
                                   {OutputKind::pprof, "classic_pprof"},
                                   {OutputKind::proto, "proto"}}) {
    if (query.output.kind != kind) continue;
    if (const Emitter* emitter = FindFileEmitter(name)) return emitter;
    return UsageError(std::string("-output: no format ") + name);
  }
  if (const Emitter* emitter = FindEmitter(query.display.format)) return emitter;
  return NoFormat(query.display.format);
}

std::vector<Error> InvalidRegexes(const Query& query, const CommandLine& line) {
  std::vector<Error> errors;
  for (const PatternList* list : {&query.nodes.account_type_regexes, &query.tree.start_name_regexes,
                                  &query.tree.trim_name_regexes, &query.tree.show_name_regexes,
                                  &query.tree.hide_name_regexes}) {
    for (const PatternList::Invalid& invalid : list->invalid()) {
      const size_t at = line.text.find(invalid.pattern);
      const bool typed = at != std::string::npos;
      errors.push_back({ErrorKind::usage, "invalid regular expression: " + invalid.reason,
                        typed ? MarkedLine(line.text, at, at + invalid.pattern.size())
                              : MarkedLine(invalid.pattern, 0, invalid.pattern.size()),
                        RegexHint(*list)});
    }
  }
  return errors;
}

Error MarkOption(Error error, const CommandLine& line) {
  if (!error.where.empty() || !error.what.starts_with('-')) return error;
  const std::string_view name = std::string_view(error.what).substr(1, error.what.find(':') - 1);
  size_t nth = 0;
  for (const Word& word : line.words) {
    if (!IsOption(word.text) || OptionName(word.text) != name || nth++ < error.part.nth) continue;
    const Word* const next = &word + 1;
    const bool apart =
        word.text.find('=') == word.text.npos && next != line.words.data() + line.words.size();
    const Word& at = error.part.end > 0 && apart ? *next : word;
    return AtWord(std::move(error), line, at);
  }
  return error;
}

std::string DropUnread(const View& view, Query* query) {
  std::string dropped;
  const Query none;
  for (const Option& option : Options()) {
    if ((option.groups & kNarrowingOptions) == 0 || Reads(view.options, option)) continue;
    if (option.print(*query) == option.print(none)) continue;
    if (!option.set(*query, option.print(none))) continue;
    if (option.name != "max_depth") dropped += " -" + std::string(option.name);
  }
  return dropped;
}

}  // namespace tfprof
