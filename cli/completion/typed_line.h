// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask/command.h"
#include "cli/completion/completion.h"

namespace tfprof {

// A line that is being typed, in which a quote may be open. Completion works on the unquoted text
// of the last word.
struct TypedLine {
  std::string_view raw;
  std::string plain;        // the line with the last word unquoted
  std::vector<Word> words;  // of `plain`; the last one ends at the cursor and may be empty
  bool classic = false;     // quotes are letters
  char quote = 0;           // the open quote; 0: none
  size_t quote_at = 0;      // its position in `raw`
  // For each byte of the last word: its position in `raw` (with the quote that opens before it) and
  // the open quote there. One more entry for the next byte to be typed.
  struct Place {
    size_t at = 0;
    char within = 0;
  };
  std::vector<Place> places;
};

// Splits words as SplitShell does; `classic`: as SplitClassic.
TypedLine ReadTyped(std::string_view line, bool classic);

// Converts a completion of line.plain to one of line.raw, with quotes where a candidate needs them.
// The quotes are closed after a candidate that cannot continue.
Completion InQuotes(const TypedLine& line, Completion completion);

}  // namespace tfprof
