// SPDX-License-Identifier: Apache-2.0
#include "core/text/pattern.h"

#include <catch2/catch.hpp>

namespace tfprof::pattern_test {

TEST_CASE("an expression must match the whole text") {
  const PatternList list({"a.c", "x+"});
  CHECK(list.Matches("abc"));
  CHECK(list.Matches("xxx"));
  CHECK_FALSE(list.Matches("abcd"));
  CHECK(list.MatchesAt(1, "x"));
  CHECK_FALSE(list.MatchesAt(0, "x"));
}

TEST_CASE("a search for plain text matches like the expression") {
  const PatternList plain({".*grad/.*"});
  const PatternList expression({".*(grad/).*"});  // the same, but not plain
  for (const std::string text :
       {"grad/", "a/grad/b", "a/gra", "", "grad", "line\ngrad/", "\xff grad/", "\xc3\xa9 grad/"}) {
    CAPTURE(text);
    CHECK(plain.Matches(text) == expression.Matches(text));
  }
  CHECK(plain.Matches("a/grad/b"));
  CHECK_FALSE(plain.Matches("line\ngrad/"));  // . is no line end
}

TEST_CASE("the list .* matches everything, including newlines") {
  CHECK(PatternList({".*"}).Matches("a\nb"));
  CHECK_FALSE(PatternList({".*", "x"}).Matches("a\nb"));
  CHECK_FALSE(PatternList().Matches(""));
}

TEST_CASE("an invalid expression matches nothing and explains the error") {
  const PatternList list({"a(", "b"});
  CHECK_FALSE(list.Matches("a("));
  CHECK(list.Matches("b"));
  REQUIRE(list.invalid().size() == 1);
  CHECK(list.invalid()[0].pattern == "a(");
  CHECK_FALSE(list.invalid()[0].reason.empty());
}

}  // namespace tfprof::pattern_test
