// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/screen.h"

#include <catch2/catch.hpp>

namespace tfprof::screen_test {
namespace {

std::string Wrapped(std::string_view text, int columns, size_t indent = 0, size_t uncut_lines = 1) {
  std::string out;
  AppendWrapped(text, indent, {.columns = columns}, &out, uncut_lines);
  return out;
}

TEST_CASE("texts are broken at spaces") {
  CHECK(Wrapped("one two three", 0) == "one two three\n");
  CHECK(Wrapped("one two three", 8) == "one two\nthree\n");
  CHECK(Wrapped("one two three", 10, 2) == "  one two\n  three\n");
  CHECK(Wrapped("one  two", 4) == "one\ntwo\n");
  CHECK(Wrapped("", 4) == "\n");
}

TEST_CASE("a word wider than the screen is cut in the middle, except in a pipe") {
  const std::string word = "abcdefghijklmnopqrstuvwxyz";
  CHECK(Wrapped("see " + word + " now", 0) == "see " + word + " now\n");
  CHECK(Wrapped("see " + word + " now", 14) == "see\nabcdef…tuvwxyz\nnow\n");
  CHECK(Wrapped(word, 14, 2) == "  abcde…uvwxyz\n");
  CHECK(Wrapped("see " + word + " now", 14, 0, 2) == "see\n" + word + "\nnow\n");
}

}  // namespace
}  // namespace tfprof::screen_test
