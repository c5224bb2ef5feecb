// SPDX-License-Identifier: Apache-2.0
// A line of regular expressions and a text: the quick ways of a list give what RE2 gives.
#include <re2/re2.h>

#include "core/query/options.h"
#include "core/text/pattern.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  std::string_view bytes = BytesOf(data, size);
  const std::vector<std::string> texts = SplitList(TakeText(&bytes));
  const PatternList list(texts);
  size_t invalid = 0;
  bool any = false;
  for (size_t i = 0; i < texts.size(); ++i) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    const re2::RE2 expression(texts[i], options);
    const bool everything = list.MatchesAll();  // also what is no UTF-8, where `.` does not
    const bool matches = everything || (expression.ok() && re2::RE2::FullMatch(bytes, expression));
    invalid += expression.ok() ? 0 : 1;
    any |= matches;
    Require(list.MatchesAt(i, bytes) == matches, "a match that RE2 does not see: " + texts[i]);
  }
  Require(list.invalid().size() == invalid && list.Matches(bytes) == any, "a list that differs");
  return 0;
}
