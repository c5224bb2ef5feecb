// SPDX-License-Identifier: Apache-2.0
#include "tests/support/goldens/golden_case.h"

#include <catch2/catch.hpp>

namespace tfprof::golden_case_test {
namespace {

TEST_CASE("a golden file has shell words, output, error output and exit status") {
  const auto golden = ParseGolden(
      "$ tfprof a 'b c' \"\" -x=\"d e\"f g\\ h < in.txt\nout\n--- stderr\nerr\n--- exit 3\n",
      false);
  REQUIRE(golden.has_value());
  CHECK(golden->args == std::vector<std::string>{"a", "b c", "", "-x=d ef", "g h"});
  CHECK(golden->in_path == "in.txt");
  CHECK(golden->out == "out\n");
  CHECK(golden->err == "err\n");
  CHECK(golden->exit_status == 3);
}

TEST_CASE("a quoted space, quote or backslash stays in its word") {
  const auto golden = ParseGolden("$ tfprof 'a b  c'  \"it's\" '\\d' x\n--- exit 0\n", false);
  REQUIRE(golden.has_value());
  CHECK(golden->args == std::vector<std::string>{"a b  c", "it's", "\\d", "x"});
}

TEST_CASE("a golden file without expectations is an error, except refusals in golden/classic") {
  CHECK_FALSE(ParseGolden("$ tfprof scope\n", false).has_value());
  CHECK_FALSE(ParseGolden("", false).has_value());
  CHECK_FALSE(ParseGolden("$ tfprof 'scope\nx\n", false).has_value());
  const auto classic = ParseGolden("$ tfprof code\n", true);
  REQUIRE(classic.has_value());
  CHECK(classic->exit_status == 2);
}

TEST_CASE("a written golden file parses to the run that it came from") {
  const GoldenRun run{
      .out = "a\nb\n", .err = "e\n", .files = {{"f", "x\n"}, {"g", ""}}, .exit_status = 4};
  const auto file = FormatGolden("$ tfprof x\nold\n", run);
  REQUIRE(file.has_value());
  const auto golden = ParseGolden(*file, false);
  REQUIRE(golden.has_value());
  CHECK(golden->args == std::vector<std::string>{"x"});
  CHECK(CompareGolden(*golden, run, false).empty());
  CHECK(FormatGolden("$ tfprof x\n", {}).value() == "$ tfprof x\n--- exit 0\n");
  CHECK_FALSE(FormatGolden("$ tfprof x\n", {.out = "no line end"}).has_value());
}

TEST_CASE("every kind of difference is detected") {
  const GoldenCase golden{.out = "a\nb\n", .err = "e\n"};
  const GoldenRun same{.out = "a\nb\n", .err = "e\n"};
  CHECK(CompareGolden(golden, same, false).empty());
  CHECK_THAT(CompareGolden(golden, {.out = "a\nc\n", .err = "e\n"}, false),
             Catch::Contains("line 2") && Catch::Contains("printed:  c"));
  CHECK_FALSE(CompareGolden(golden, {.out = "a\n", .err = "e\n"}, false).empty());
  CHECK_FALSE(CompareGolden(golden, {.out = "a\nb\nc\n", .err = "e\n"}, false).empty());
  CHECK_FALSE(CompareGolden(golden, {.out = "a\nb\n"}, false).empty());
  CHECK_FALSE(
      CompareGolden(golden, {.out = "a\nb\n", .err = "e\n", .exit_status = 1}, false).empty());
  const GoldenCase writes{.files = {{"f", "x\n"}}};
  CHECK(CompareGolden(writes, {.files = {{"f", "x\n"}}}, false).empty());
  CHECK_THAT(CompareGolden(writes, {.files = {{"f", "y\n"}}}, false), Catch::Contains("f, line 1"));
  CHECK_THAT(CompareGolden(writes, {}, false), Catch::Contains("not written"));
  CHECK_THAT(CompareGolden({}, {.files = {{"f", "x\n"}}}, false), Catch::Contains("unexpected"));
}

TEST_CASE("classic text is compared from its line Profile: on, without standard error") {
  const GoldenCase golden{.out = "Profile:\nx\n"};
  CHECK(CompareGolden(golden, {.out = "Doc\nProfile:\nx\n", .err = "e\n"}, true).empty());
  CHECK_FALSE(CompareGolden(golden, {.out = "Doc\nProfile:\ny\n"}, true).empty());
  const GoldenCase refused{.exit_status = 2};
  CHECK(CompareGolden(refused, {.out = "prose\n", .err = "e\n", .exit_status = 2}, true).empty());
  CHECK_FALSE(CompareGolden(refused, {.out = "Profile:\n", .exit_status = 2}, true).empty());
}

}  // namespace
}  // namespace tfprof::golden_case_test
