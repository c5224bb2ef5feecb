// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/ask/command.h"
#include "core/base/result.h"
#include "core/query/options.h"
#include "core/store/store.h"
#include "views/view.h"

namespace tfprof {

// `tfprof --help`: usage. Here and below, `columns` is the width of the terminal; 0: no terminal.
std::string UsageText(int columns);
std::string VersionText();

// `help [TOPIC]`; `line` is the whole command, `store` the open profile or null. Error: usage, no
// such topic.
Result<std::string> HelpAbout(const CommandLine& line, const Store* store, int columns);

// A view and its argument: "top [N]".
std::string UsageOf(const View& view);

// Help topics besides commands and options.
std::vector<std::string_view> HelpTopics();

// The meanings of the exit statuses.
struct StatusMeaning {
  int status;
  std::string_view meaning;
};
std::span<const StatusMeaning> StatusMeanings();

// docs/options.md, generated from the option table.
std::string OptionsPage();

// docs/columns.md, generated from the tables that views declare.
std::string ColumnsPage();

// The kinds of filters (OptionGroup), with their headings.
constexpr std::pair<unsigned, std::string_view> kFilterKinds[] = {
    {kCountFilters, "leave data out: totals change"}, {kRowFilters, "hide rows: totals stay"}};

// The tables of docs/filters.md.
std::string FiltersTable();

// The units that values of an option may have, as a sentence after its meaning; may be empty.
std::string UnitSentence(const Option& option);

// docs/notes.md, generated from core/store/note_catalogue.h.
std::string NotesPage();

// docs/flops.md, generated from analysis/op_flops/rules.cc.
std::string FlopsPage();

// tfprof(1), in the man macros of troff, generated from the tables of flags, commands, options and
// formats. It has the same contents as `help`.
std::string ManPage();

}  // namespace tfprof
