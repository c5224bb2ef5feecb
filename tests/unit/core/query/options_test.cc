// SPDX-License-Identifier: Apache-2.0
#include "core/query/options.h"

#include <catch2/catch.hpp>
#include <set>

namespace tfprof::options_test {
namespace {

// The error of setting one option; empty: it was set.
std::string Wrong(std::string_view name, std::string_view value) {
  Query query;
  const Result<void> done = SetOption(*FindOption(name), value, query);
  return done ? "" : done.error().what + "; " + done.error().hint;
}

Query With(std::string_view name, std::string_view value) {
  Query query;
  const Result<void> done = SetOption(*FindOption(name), value, query);
  INFO(name << " " << value << ": " << Wrong(name, value));
  REQUIRE(done);
  return query;
}

TEST_CASE("the first 21 options have the original's spelling and order") {
  std::vector<std::string_view> names;
  for (const Option& option : Options()) {
    if (option.original) names.push_back(option.name);
  }
  CHECK(names == std::vector<std::string_view>{"max_depth",
                                               "min_bytes",
                                               "min_peak_bytes",
                                               "min_residual_bytes",
                                               "min_output_bytes",
                                               "min_micros",
                                               "min_accelerator_micros",
                                               "min_cpu_micros",
                                               "min_params",
                                               "min_float_ops",
                                               "min_occurrence",
                                               "step",
                                               "order_by",
                                               "account_type_regexes",
                                               "start_name_regexes",
                                               "trim_name_regexes",
                                               "show_name_regexes",
                                               "hide_name_regexes",
                                               "account_displayed_op_only",
                                               "select",
                                               "output"});
  CHECK(Options().front().name == "max_depth");
}

TEST_CASE("option names are unique, and every option has a meaning and finds itself") {
  std::set<std::string_view> names;
  for (const Option& option : Options()) {
    CHECK(names.insert(option.name).second);
    CHECK(option.meaning.ends_with('.'));
    CHECK(FindOption(option.name) == &option);
    CHECK(&Options()[OptionIndex(option)] == &option);
  }
  CHECK(FindOption("depth") == nullptr);
}

TEST_CASE("the printed value of an option sets the same value again") {
  const std::pair<std::string_view, std::string_view> values[] = {
      {"max_depth", "7"},
      {"min_bytes", "-3"},
      {"min_micros", "9223372036854775807"},
      {"step", "12"},
      {"order_by", "cpu_micros"},
      {"account_type_regexes", "Conv.*,MatMul"},
      {"account_displayed_op_only", "true"},
      {"select", "micros,bytes"},
      {"output", "file:outfile=a=b.txt"},
      {"format", "json"},
      {"ids", "original"},
      {"table", "devices"},
      {"n", "5"},
      {"columns", "a,b"},
      {"where", "name ~ conv"},
      {"device", "gpu:0"},
  };
  for (const auto& [name, value] : values) {
    const Option& option = *FindOption(name);
    CHECK(option.print(With(name, value)) == value);
  }
}

TEST_CASE("integers accept signs and leading zeros, in 32 bits for max_depth and otherwise in 64") {
  CHECK(With("max_depth", "+007").tree.max_depth == 7);
  CHECK(With("max_depth", "-1").tree.max_depth == -1);
  CHECK(With("min_bytes", "-9223372036854775808").tree.min_bytes == INT64_MIN);
  CHECK(With("min_params", "\t12 ").tree.min_params == 12);
  for (const char* wrong : {"", "three", "3x", "- 3", "+", "1.5", "0x10", "+-3"}) {
    CHECK(Wrong("max_depth", wrong).find("is not a number") != std::string::npos);
  }
  CHECK(Wrong("max_depth", "2147483648").find("out of range") != std::string::npos);
  CHECK(Wrong("min_bytes", "9223372036854775808").find("64 bits") != std::string::npos);
}

TEST_CASE("times and sizes accept units, but not bare letters; counts accept none") {
  CHECK(With("min_micros", "1.5ms").tree.min_micros == 1500);
  CHECK(With("min_micros", "2000ns").tree.min_micros == 2);
  CHECK(Wrong("min_micros", "10ns").find("not a whole number of microseconds") !=
        std::string::npos);
  CHECK(Wrong("min_micros", "xns").find("is not a number") != std::string::npos);
  CHECK(With("min_bytes", "2KiB").tree.min_bytes == 2048);
  CHECK_FALSE(Wrong("min_bytes", "1k").empty());
  CHECK_FALSE(Wrong("min_micros", "1KB").empty());
  CHECK_FALSE(Wrong("min_params", "1ms").empty());
}

TEST_CASE("a moment is a word, or a time in any unit") {
  CHECK(With("at", "12.5ms").programs.at_ps == 12'500'000'000);
  CHECK(With("at", "3ps").programs.at_ps == 3);
  CHECK(With("at", "7").programs.at_ps == 7'000'000);  // a bare number is microseconds
  CHECK(With("at", "39.75").programs.at_ps == 39'750'000);
  CHECK(With("at", "0").programs.at_ps == 0);
  CHECK(With("at", "peak").programs.at_ps == kNoInt);
  Query query = With("at", "5us");
  REQUIRE(SetOption(*FindOption("at"), "times", query));
  CHECK(query.programs.at_ps == kNoInt);
  for (const char* wrong : {"", "-1", "dawn", "5m", "1e3", ".", "99999999999s"}) {
    CHECK(Wrong("at", wrong).find("is not a moment") != std::string::npos);
  }
}

TEST_CASE("lists drop outer quotes and empty elements") {
  CHECK(SplitList("\"a,,b'") == std::vector<std::string>{"a", "b"});
  CHECK(SplitList("'\"a\"'") == std::vector<std::string>{"a"});
  CHECK(SplitList("").empty());
  CHECK(SplitList("\"\"").empty());
  CHECK(With("select", "'micros,bytes,micros'").display.select ==
        std::vector<Attribute>{Attribute::micros, Attribute::bytes});
  CHECK(With("select", "").display.select.empty());
}

TEST_CASE("ids of columns select the attribute that shows them") {
  CHECK(With("select", "time_us,inclusive_us,runs,defined").display.select ==
        std::vector<Attribute>{Attribute::micros, Attribute::occurrence});
}

TEST_CASE("a step is a number, a range, or the sum of all") {
  CHECK(With("step", "3").place.step == 3);
  CHECK(With("step", "2:8").place.last_step == 8);
  const Query all = With("step", "all");
  CHECK(all.place.sum_steps);
  CHECK(all.place.StepText() == "all");
  Query again = all;
  REQUIRE(SetOption(*FindOption("step"), "-1", again));
  CHECK_FALSE(again.place.sum_steps);
}

TEST_CASE("a wrong name suggests the nearest one and lists the valid ones") {
  CHECK(Wrong("select", "micros,micro").find("did you mean 'micros'") != std::string::npos);
  CHECK(Wrong("select", "foo").find("one of: bytes micros params") != std::string::npos);
}

TEST_CASE("an order is an attribute or a column of some table") {
  CHECK(With("order_by", "bytes").display.order_by == OrderBy::bytes);
  const Query query = With("order_by", "share");
  CHECK(query.display.order_by == OrderBy::name);
  CHECK(query.display.order_column == "share");
  CHECK(With("order_by", "cpu").display.order_by == OrderBy::cpu_micros);  // a heading
  CHECK(With("order_by", "total time").display.order_by == OrderBy::micros);
  CHECK(With("order_by", "runs").display.order_by == OrderBy::runs);
  CHECK(With("order_by", "defined").display.order_by == OrderBy::occurrence);
  CHECK(With("order_by", "device_us").display.order_by == OrderBy::accelerator_micros);
  CHECK(With("order_by", "device").display.order_by ==
        OrderBy::name);  // no order, but maybe a column
  CHECK_FALSE(Wrong("order_by", "").empty());
}

TEST_CASE("booleans accept the original's words in any case") {
  for (const char* yes : {"true", "T", "yes", "Y", "1"}) CHECK(ParseBoolean(yes).value());
  for (const char* no : {"FALSE", "f", "No", "n", "0"}) CHECK_FALSE(ParseBoolean(no).value());
  CHECK_FALSE(ParseBoolean("maybe"));
  CHECK_FALSE(ParseBoolean(""));
}

TEST_CASE("outputs are parsed") {
  CHECK(With("output", "").output.kind == OutputKind::stdout_text);
  CHECK(With("output", "none").output.kind == OutputKind::none);
  const Query file = With("output", "file:outfile==a=b");
  CHECK(file.output.kind == OutputKind::file);
  CHECK(file.output.path == "a=b");
  CHECK(With("output", "timeline:outfile=t").output.kind == OutputKind::timeline);
  for (const char* wrong : {"fil:outfile=a", "file", "file:", "file:outfile", "file:outfile=",
                            "file:name=a", "stdout:outfile=a", "FILE:outfile=a", " file"}) {
    INFO(wrong);
    CHECK_FALSE(Wrong("output", wrong).empty());
  }
  Query query = file;  // the path of an earlier output stays
  REQUIRE(SetOption(*FindOption("output"), "pprof", query));
  CHECK(query.output.path == "a=b");
}

TEST_CASE("of several conditions all must hold") {
  Query query = With("where", "micros >= 1ms or a = 1");
  REQUIRE(SetOption(*FindOption("where"), "name!='a b'", query));
  CHECK(FindOption("where")->print(query) == "(micros >= 1ms or a = 1) and name != a b");
  for (const char* wrong : {"", "micros", "> 3", "a ! b", "a === 3", "a ~= b"}) {
    INFO(wrong);
    CHECK_FALSE(Wrong("where", wrong).empty());
  }
  const Result<void> second = SetOption(*FindOption("where"), "a = 1 and (b)", query);
  REQUIRE(second);  // b is part of the value
  const Result<void> third = SetOption(*FindOption("where"), "a = 1 and (b = 2", query);
  REQUIRE_FALSE(third);
  CHECK(third.error().part.nth == 3);
  CHECK(third.error().part.begin == 10);
  CHECK(third.error().part.end == 11);
}

TEST_CASE("lists of names keep commas in names") {
  const Query query = With("focus", "=f<a\\,b>,c");
  CHECK(query.nodes.focus == std::vector<std::string>{"=f<a,b>", "c"});
  CHECK(FindOption("focus")->print(query) == "=f<a\\,b>,c");
  CHECK(With("focus", "'a b,,c'").nodes.focus == std::vector<std::string>{"a b", "c"});
  CHECK(With("ignore", "it's'").nodes.ignore == std::vector<std::string>{"it's'"});
  CHECK(With("focus", ",").nodes.focus.empty());
}

TEST_CASE("an option is printed as it would be typed") {
  const auto typed = [](std::string_view name, std::string_view value) {
    return AsTyped(*FindOption(name), With(name, value));
  };
  CHECK(typed("device", "GPU:0") == "-device GPU:0");
  CHECK(typed("where", "time > 50us and name ~ M") == "-where 'time > 50us and name ~ M'");
  CHECK(typed("under", "it's") == "-under 'it'\"'\"'s'");
  CHECK(AsWord("") == "''");
  CHECK(AsWord("a$b") == "'a$b'");
  for (const char* const changed_by_shells : {"x[1]", "{a,b}", "~me", "#1", "a!b"}) {
    CHECK(AsWord(changed_by_shells) == "'" + std::string(changed_by_shells) + "'");
  }
}

TEST_CASE("-select accepts the headings of attributes, as -order_by does") {
  CHECK(With("select", "time").display.select == With("select", "micros").display.select);
  CHECK(With("order_by", "time").display.order_by == With("order_by", "micros").display.order_by);
  Query query;
  CHECK_FALSE(SetOption(*FindOption("select"), "no heading", query));
}

TEST_CASE("the listing pads names to 28 columns and sorts the original's selection") {
  const Query query = With("select", "micros,bytes");
  const std::string original = ListOptions(query, true);
  CHECK(original.starts_with("-max_depth                  10\n"));
  CHECK(original.find("-select                     bytes,micros\n") != std::string::npos);
  CHECK(original.ends_with("-output                     stdout:\n"));
  CHECK(ListOptions(query, false).find("-select                     micros,bytes\n") !=
        std::string::npos);
}

}  // namespace
}  // namespace tfprof::options_test
