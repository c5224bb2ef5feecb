// SPDX-License-Identifier: Apache-2.0
#include "emitters/printable.h"

#include <catch2/catch.hpp>

namespace tfprof::printable_test {
namespace {

TEST_CASE("texts become printable") {
  const auto printable = [](std::string_view text, bool utf8 = true) {
    std::string out;
    AppendPrintable(text, utf8, &out);
    return out;
  };
  CHECK(printable("plain a/b\\") == "plain a/b\\");
  CHECK(printable("\x1b[2J\n\x7f") == "\\x1b[2J\\x0a\\x7f");
  CHECK(printable("ö漢") == "ö漢");
  CHECK(printable("ö", false) == "\\xc3\\xb6");
  CHECK(printable("\xff\xc3") == "\\xff\\xc3");
  CHECK(printable("\xc2\x9b") == "\\xc2\\x9b");           // a control character of its own
  CHECK(printable("\xe2\x80\xae") == "\\xe2\\x80\\xae");  // turns the reading direction
}

TEST_CASE("texts are cut in the middle") {
  const auto cut = [](std::string_view text, size_t cells, bool utf8 = true) {
    std::string out;
    const size_t used = AppendCut(text, cells, utf8, &out);
    CHECK(used == CellWidth(out));
    CHECK(used <= cells);
    return out;
  };
  CHECK(cut("abcdefgh", 8) == "abcdefgh");
  CHECK(cut("abcdefgh", 7) == "abc…fgh");
  CHECK(cut("abcdefgh", 6) == "ab…fgh");
  CHECK(cut("abcdefgh", 6, false) == "ab..gh");
  CHECK(cut("漢字漢字漢字", 7) == "漢…字");
  CHECK(cut("漢字漢字漢字", 8) == "漢…漢字");
  CHECK(cut("abc", 1) == ".");
  CHECK(cut("abc", 0).empty());
  CHECK(CellWidth("漢e\xcc\x81") == 3);  // an e with a combining accent is one cell
}

}  // namespace
}  // namespace tfprof::printable_test
