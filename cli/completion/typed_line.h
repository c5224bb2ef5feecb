// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask/command.h"
#include "cli/completion/completion.h"

namespace tfprof {

// A line that is being typed, in which a quote may be open. What is completed is its last word as
// it is meant, without quotes.
struct TypedLine {
  std::string_view raw;
  std::string plain;        // the line with the last word as it is meant
  std::vector<Word> words;  // of `plain`; the last one ends at the cursor and may be empty
  bool classic = false;     // quotes are letters
  char quote = 0;           // that is open; 0: none is
  size_t quote_at = 0;      // where, in `raw`
  // By byte of the last word where in `raw` it stands, with the quote that opens before it, and the
  // quote that is open there; likewise of the next one that would be typed.
  struct Place {
    size_t at = 0;
    char within = 0;
  };
  std::vector<Place> places;
};

// Words as SplitShell has them; of `classic`, as SplitClassic.
TypedLine ReadTyped(std::string_view line, bool classic);

// A completion of line.plain as one of line.raw: in quotes where a candidate needs them. They are
// closed behind what cannot go on within them.
Completion InQuotes(const TypedLine& line, Completion completion);

}  // namespace tfprof
