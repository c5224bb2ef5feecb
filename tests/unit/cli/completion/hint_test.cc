// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/completion.h"

#include <catch2/catch.hpp>
#include <clocale>

#include "tests/support/store_of.h"

namespace tfprof::hint_test {
namespace {

struct Open {
  Io io;
  Session session{io};
  Context context;

  Open() {
    session.profile.store = StoreOf(
        {{.name = "model/a", .type = "MatMul"},
         {.name = "model/b", .type = "Mul"},
         {.name = "loss/c", .type = "Sum"}},
        {{.node = "model/a", .us = 2}, {.node = "model/b", .us = 7}, {.node = "loss/c", .us = 5}});
    session.profile.indexes = std::make_unique<Indexes>(session.profile.store);
  }
  std::string Hint(std::string_view line) { return HintFor(line, session, context); }
};

TEST_CASE("a hint is the newest history line with the same prefix") {
  Open open;
  open.session.history = {"op -n 3", "op -n 5", "opp -n 9", "scope"};
  CHECK(open.Hint("op ") == "-n 5");
  CHECK(open.Hint("op -n 3") == "");
  CHECK(open.Hint("s") == "cope");
  CHECK(open.Hint("opp") == "");  // no command
  open.session.rejected_lines = {"op -n 5"};
  CHECK(open.Hint("op ") == "-n 3");
  CHECK(open.Hint("").empty());
  CHECK(open.Hint("  ").empty());
}

TEST_CASE(
    "without history, a hint is the likeliest word: a command, an option, the costliest name") {
  Open open;
  CHECK(open.Hint("s") == "cope");
  CHECK(open.Hint("op -f") == "ormat");
  CHECK(open.Hint("op -").empty());  // nobody knows which
  CHECK(open.Hint("cd ") == "model/");
  CHECK(open.Hint("peek model/") == "b");
  CHECK(open.Hint("peek M") == "ul");
  CHECK(open.Hint("peek Ma") == "tMul");
  CHECK(open.Hint("load tests/un").empty());  // files only at Tab
  CHECK(open.Hint("peek nothing").empty());
  CHECK(open.Hint("peek tw").empty());  // quotes are missing
}

TEST_CASE("a hint that takes too long is dropped") {
  Open open;
  open.context.polls_until_cancel = 0;
  CHECK(open.Hint("cd ").empty());
  CHECK(open.Hint("sco") == "pe");  // needs no names
}

TEST_CASE("a hint is cut at the edge of the screen") {
  REQUIRE(std::setlocale(LC_CTYPE, "C.UTF-8") != nullptr);
  CHECK(FittingHint("> ", "op", " -n 3", 80) == " -n 3");
  CHECK(FittingHint("> ", "op", " -n 3", 8) == " -n");
  CHECK(FittingHint("> ", "op", " -n 3", 5).empty());
  CHECK(FittingHint("> ", "op", " -n 3", 4).empty());         // the cursor is at the very edge
  CHECK(FittingHint("> ", "0123456789", "abc", 8) == "abc");  // in the second row
  CHECK(RowsAbove("> ", "0123456789", 8) == 1);
  CHECK(RowsAbove("> ", "01234", 8) == 0);
}

TEST_CASE("hints handle letters of two cells and unprintable letters") {
  REQUIRE(std::setlocale(LC_CTYPE, "C.UTF-8") != nullptr);
  CHECK(FittingHint("> ", "日", "本語", 8) == "本");
  CHECK(RowsAbove("> ", "日日日日", 9) == 1);  // the last one does not fit in the first row
  CHECK(FittingHint("> ", "a", "b\x1b[31mc", 80).empty());
  CHECK(FittingHint("> ", "a", "b\xff", 80).empty());
  CHECK(FittingHint("> ", "a\xff", "b", 80).empty());
}

}  // namespace
}  // namespace tfprof::hint_test
