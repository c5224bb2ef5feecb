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

// `tfprof --help`: how the program is called. Here and below, `columns`: of the terminal that it is
// read on; 0: none.
std::string UsageText(int columns);
std::string VersionText();

// `help [TOPIC]`; the line is the whole command. Error: usage, no such topic.
Result<std::string> HelpAbout(const CommandLine& line, int columns);

// A view and the word that stands behind it: "top [N]".
std::string UsageOf(const View& view);

// What `help` knows beside commands and options.
std::vector<std::string_view> HelpTopics();

// What the program's exit status tells.
struct StatusMeaning {
  int status;
  std::string_view meaning;
};
std::span<const StatusMeaning> StatusMeanings();

// docs/options.md, which is made from the option table.
std::string OptionsPage();

// docs/columns.md, which is made from the tables that views declare.
std::string ColumnsPage();

}  // namespace tfprof
