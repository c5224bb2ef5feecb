// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

// What may stand at the end of a line that is being typed.
struct Completion {
  size_t from = 0;  // the candidates replace line[from, end)
  // Each begins with line[from, end), or with a quote and what is meant by that.
  std::vector<std::string> candidates;
  // What a candidate that is the only one is followed by: a blank, or nothing where more may come.
  std::string after = " ";
  size_t more = 0;       // candidates beyond those, which are too many to be read
  std::string shared;    // where there are more: what all begin with
  bool in_list = false;  // a comma may follow
  // Words behind each other are one: a candidate that has several needs no quotes.
  bool joins_words = false;
  bool by_cost = false;  // the costliest candidate is the first; else they are in order of name
};

struct Context;
struct Session;

// Commands, then options of that command, then values of that option; file names where a path is
// expected, names of the open profile where one is. `line` ends at the cursor. `session` null:
// nothing is open.
Completion Complete(std::string_view line, const Session* session = nullptr);

// The rest of the likeliest word: of the costliest name of the profile, else of what stands first
// in the help, once a letter of it is typed. Never a file: a folder may be slow. Empty: nothing is
// likely, or `context` was cancelled before the names were known.
std::string LikelyRest(std::string_view line, const Session& session, Context& context);

// The longest text that all begin with; of no candidates the empty one.
std::string CommonPrefix(const std::vector<std::string>& candidates);

}  // namespace tfprof
