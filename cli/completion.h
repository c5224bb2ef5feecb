// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

// What may stand at the end of a line that is being typed.
struct Completion {
  size_t from = 0;                      // the candidates replace line[from, end)
  std::vector<std::string> candidates;  // each begins with line[from, end); sorted, or as best fits
  // What a candidate that is the only one is followed by: a blank, or nothing where more may come.
  std::string after = " ";
};

struct Session;

// Commands, then options of that command, then values of that option; file names where a path is
// expected, names of the open profile where one is. `line` ends at the cursor. `session` null:
// nothing is open.
Completion Complete(std::string_view line, const Session* session = nullptr);

// The longest text that all begin with; of no candidates the empty one.
std::string CommonPrefix(const std::vector<std::string>& candidates);

}  // namespace tfprof
