// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

// What may stand at the end of a line that is being typed.
struct Completion {
  size_t from = 0;                      // the candidates replace line[from, end)
  std::vector<std::string> candidates;  // sorted; each begins with line[from, end)
  // What a candidate that is the only one is followed by: a blank, or nothing where more may come.
  std::string after = " ";
};

// Commands, then options of that command, then values of that option; file names where a path is
// expected. `line` ends at the cursor.
Completion Complete(std::string_view line);

// The longest text that all begin with; of no candidates the empty one.
std::string CommonPrefix(const std::vector<std::string>& candidates);

}  // namespace tfprof
