// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask/command.h"
#include "core/base/result.h"
#include "views/view.h"

namespace tfprof {

// `tfprof --help`: usage. Here and below, `columns` is the width of the terminal; 0: no terminal.
std::string UsageText(int columns);
std::string VersionText();

// `help [TOPIC]`; `line` is the whole command. Error: usage, no such topic.
Result<std::string> HelpAbout(const CommandLine& line, int columns);

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

// docs/notes.md, generated from core/store/note_catalogue.h.
std::string NotesPage();

// tfprof(1), in the man macros of troff, generated from the tables of flags, commands, options and
// formats. It has the same contents as `help`.
std::string ManPage();

}  // namespace tfprof
