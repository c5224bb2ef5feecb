// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "emitters/page/trace/page_trace.h"

namespace tfprof {

// The spans whose names match a search.
struct SpanMatches {
  std::vector<uint64_t> bits;  // by span, 64 in a word
  int64_t count = 0;

  // Error: usage, an invalid expression. `text`: a part of a name in any case, or /EXPRESSION/.
  static Result<SpanMatches> Of(const PageTrace& trace, const std::string& text, Context& context);

  bool HasIn(size_t first, size_t count) const;
  // Returns the next match after `span`, or with `back` before it, around the ends; -1: none.
  int64_t Next(int64_t span, bool back) const;

 private:
  // Returns the first match in [first, end), with `back` the last; -1: none.
  int64_t FirstIn(size_t first, size_t end, bool back) const;
};

}  // namespace tfprof
