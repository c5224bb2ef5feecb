// SPDX-License-Identifier: Apache-2.0
#include "core/query/word_options.h"

#include <catch2/catch.hpp>

namespace tfprof::word_options_test {
namespace {

using std::chrono::milliseconds;

struct Words {
  std::string name;
  std::vector<std::string> all;
  bool quiet = false;
  milliseconds every{0};
  std::vector<std::string> others = {};
};

constexpr WordOption<Words> kOptions[] = {
    {{"user_name", "NAME", ""}, SetText<&Words::name>},
    {{"fail-if", "LIMIT", ""}, AddText<&Words::all>},
    {{"quiet", "", ""}, SwitchOn<&Words::quiet>},
    {{"every", "TIME", ""}, SetInterval<&Words::every, 1>},
};

Result<Words> Read(const std::vector<std::string>& args) {
  Words words;
  TFPROF_ASSIGN(words.others, SetWords<Words>(args, kOptions, "x", words));
  return words;
}

std::string ErrorOf(const std::vector<std::string>& args) {
  const Result<Words> words = Read(args);
  REQUIRE_FALSE(words);
  CHECK(words.error().kind == ErrorKind::usage);
  return words.error().what;
}

}  // namespace

TEST_CASE("options with values and flags, among words") {
  const Words words =
      Read({"a", "--user-name", "-n", "-quiet", "b", "-fail_if=x=1", "-fail-if", "y", "-"}).value();
  CHECK(words.name == "-n");
  CHECK(words.quiet);
  CHECK(words.all == std::vector<std::string>{"x=1", "y"});
  CHECK(words.others == std::vector<std::string>{"a", "b", "-"});
}

TEST_CASE("a wrong option says what is wrong") {
  CHECK(ErrorOf({"-every"}) == "-every needs a value");
  CHECK(ErrorOf({"-quiet=1"}) == "-quiet takes no value");
  CHECK(ErrorOf({"-qiet"}) == "no option -qiet");
  CHECK(Read({"-qiet"}).error().hint == "did you mean -quiet?");
  CHECK(Read({"-zzz"}).error().hint == "tfprof help x lists them");
  CHECK(ErrorOf({"-every", "2"}) == "-every: '2' has no unit");
}

TEST_CASE("an option is passed on as one argument") {
  CHECK(AsArgument(kOptions[0], "-n") == "-user_name=-n");
  CHECK(AsArgument(kOptions[2], "") == "-quiet");
}

TEST_CASE("intervals have a unit, and are at least a millisecond") {
  CHECK(ParseInterval("2s").value() == milliseconds(2000));
  CHECK(ParseInterval("1.5s").value() == milliseconds(1500));
  CHECK(ParseInterval("500ms").value() == milliseconds(500));
  CHECK(ParseInterval("1.5m").value() == milliseconds(90'000));
  CHECK(ParseInterval("24h").value() == milliseconds(86'400'000));
  for (const char* text : {"2", "0", "0s", "0m", "10us", "500us", "-1s", "-1m", "x", "", "m", "1sm",
                           "25h", "1441m", "86401s", "99999999999999h"}) {
    INFO(text);
    REQUIRE(!ParseInterval(text).has_value());
    CHECK(ParseInterval(text).error().kind == ErrorKind::usage);
  }
  CHECK(ParseInterval("500us").error().what == "'500us' is less than 1ms, the smallest time");
}

TEST_CASE("where 0 is allowed, it needs no unit, and other times do not become 0") {
  CHECK(ParseInterval("0", milliseconds(0)).value() == milliseconds(0));
  CHECK(ParseInterval("0s", milliseconds(0)).value() == milliseconds(0));
  CHECK_FALSE(ParseInterval("500us", milliseconds(0)));
  CHECK_FALSE(ParseInterval("5", milliseconds(0)));
}

}  // namespace tfprof::word_options_test
