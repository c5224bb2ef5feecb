// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/session.h"

namespace tfprof {

// Candidates for the end of a line that is being typed.
struct Completion {
  size_t from = 0;  // the candidates replace line[from, end)
  // Each begins with line[from, end), or with a quote and the unquoted text of that.
  std::vector<std::string> candidates;
  // Appended to a sole candidate: a blank, or nothing if more may follow.
  std::string after = " ";
  size_t more = 0;       // candidates over the max shown
  std::string shared;    // if `more`: the common prefix of all candidates
  bool in_list = false;  // a comma may follow
  // Adjacent words are one word: a candidate of several words needs no quotes.
  bool joins_words = false;
  bool by_cost = false;  // the costliest candidate is first; else sorted by name
};

// Completes commands, then options of that command, then values of that option; also file names
// where a path is expected, and names of the open profile where a name is expected. `line` ends at
// the cursor. `session` null: nothing is open.
Completion Complete(std::string_view line, const Session* session = nullptr);

// The rest of the likeliest word once a letter of it is typed: of the costliest name of the
// profile, else of the first match in the order of help. Never a file name: a folder may be slow to
// read. Empty: no likely word, or `context` was cancelled before the names were known.
std::string LikelyRest(std::string_view line, const Session& session, Context& context);

// The longest prefix that all candidates share; empty for no candidates.
std::string CommonPrefix(const std::vector<std::string>& candidates);

// The likely continuation of the line being typed: shown in gray after the cursor.

// The likely continuation of `line`: the rest of the newest history line that begins with it, else
// of the likeliest word (LikelyRest). Empty: none is likely. It runs at every key, so it returns as
// soon as `context` is cancelled.
std::string HintFor(std::string_view line, const Session& session, Context& context);

// The part of `hint` that fits after `line` on a screen of that many columns, where `line` follows
// `prompt` and may wrap. Empty: no room, or a letter has unknown width.
std::string FittingHint(const std::string& prompt, const std::string& line, const std::string& hint,
                        int columns);

// The number of rows between the beginning of the line and the cursor at its end.
int RowsAbove(const std::string& prompt, const std::string& line, int columns);

}  // namespace tfprof
