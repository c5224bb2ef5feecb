// SPDX-License-Identifier: Apache-2.0
#include "cli/ask/command.h"

#include <catch2/catch.hpp>

#include "cli/message.h"
#include "core/query/options.h"

namespace tfprof::command_test {
namespace {

std::vector<std::string> Texts(const std::vector<Word>& words) {
  std::vector<std::string> texts;
  for (const Word& word : words) texts.push_back(word.text);
  return texts;
}

using Strings = std::vector<std::string>;

Result<ParsedOptions> Parse(const std::string& text, bool classic = true) {
  const CommandLine line = SplitClassic(text);
  return ParseOptions(line, std::span(line.words).subspan(1), Query{}, classic);
}

TEST_CASE("classic mode splits only at runs of spaces") {
  CHECK(Texts(SplitClassic("  scope   -max_depth 3 ").words) ==
        Strings{"scope", "-max_depth", "3"});
  CHECK(Texts(SplitClassic("op\t-select 'a b' > c | d").words) ==
        Strings{"op\t-select", "'a", "b'", ">", "c", "|", "d"});
  CHECK(SplitClassic("   ").words.empty());
  CHECK(SplitClassic("").words.empty());
}

TEST_CASE("default mode splits at blanks and keeps quoted text together") {
  const auto words = [](const char* text) { return Texts(SplitShell(text).value().words); };
  CHECK(words("op\t-where 'name ~ a b'") == Strings{"op", "-where", "name ~ a b"});
  CHECK(words("echo \"say \\\"hi\\\"\" a'b'c") == Strings{"echo", "say \"hi\"", "abc"});
  CHECK(words("scope -show_name_regexes save\\/.*") ==
        Strings{"scope", "-show_name_regexes", "save\\/.*"});
  CHECK(words("echo ''") == Strings{"echo", ""});
  CHECK(words("echo '>' a>b c|d") == Strings{"echo", ">", "a>b", "c|d"});
  CHECK_FALSE(SplitShell("echo 'open"));
  CHECK_FALSE(SplitShell("echo a\"b"));
}

TEST_CASE("separate redirection marks redirect the answer") {
  const CommandLine write = SplitShell("op -n 3 > 'my file'").value();
  CHECK(write.redirect.kind == Redirect::write);
  CHECK(write.redirect.target == "my file");
  CHECK(Texts(write.words) == Strings{"op", "-n", "3"});
  CHECK(SplitShell("op >> f").value().redirect.kind == Redirect::append);
  const CommandLine pipe = SplitShell("op | grep 'a b' | head -1").value();
  CHECK(pipe.redirect.kind == Redirect::pipe);
  CHECK(pipe.redirect.target == "grep 'a b' | head -1");
  for (const char* wrong : {"op >", "op > ", "op |", "> f", "| wc", "op > a b"}) {
    INFO(wrong);
    CHECK_FALSE(SplitShell(wrong));
  }
}

TEST_CASE("a mark may touch the name of a command, but not other words") {
  const CommandLine pipe = SplitShell("op|head -3").value();
  CHECK(Texts(pipe.words) == Strings{"op"});
  CHECK(pipe.redirect.kind == Redirect::pipe);
  CHECK(pipe.redirect.target == "head -3");
  CHECK(SplitShell("op>>f").value().redirect.kind == Redirect::append);
  CHECK(SplitShell("op>f").value().redirect.target == "f");
  CHECK_FALSE(SplitShell("op|"));
  CHECK(Texts(SplitShell("scope -show_name_regexes a|b").value().words) ==
        Strings{"scope", "-show_name_regexes", "a|b"});
}

TEST_CASE("a line is several commands where an unquoted semicolon ends a word") {
  const auto commands = [](const char* text) {
    const std::vector<std::string_view> all = SplitCommands(text);
    return Strings(all.begin(), all.end());
  };
  CHECK(commands("op") == Strings{"op"});
  CHECK(commands("op -n 2; scope ; top;") == Strings{"op -n 2", " scope ", " top"});
  CHECK(commands("echo 'a; b'; op") == Strings{"echo 'a; b'", " op"});
  CHECK(commands("echo \"a\\\"; b\"") == Strings{"echo \"a\\\"; b\""});
  CHECK(commands("op a;b") == Strings{"op a;b"});
  CHECK(commands("op | sort; cat") == Strings{"op | sort; cat"});  // the shell's
  CHECK(commands("op|sort; cat") == Strings{"op|sort; cat"});
  CHECK(commands("scope -show_name_regexes a|b; op") ==
        Strings{"scope -show_name_regexes a|b", " op"});
  CHECK(commands("") == Strings{""});
}

TEST_CASE("an option behind regular expressions ends them; the original takes it as the value") {
  const std::string text = "scope -trim_name_regexes  -show_name_regexes stem -min_bytes=5";
  const ParsedOptions parsed = Parse(text, false).value();
  CHECK(parsed.words.empty());
  CHECK(parsed.query.tree.trim_name_regexes.empty());
  CHECK(parsed.query.tree.show_name_regexes.Matches("stem"));
  CHECK_FALSE(parsed.query.tree.show_name_regexes.Matches("other"));
  const ParsedOptions original = Parse(text, true).value();
  CHECK(Texts(original.words) == Strings{"stem"});
  CHECK(original.query.tree.trim_name_regexes.Matches("-show_name_regexes"));
  // Other options need a value, and a value with a dash is no option.
  CHECK_FALSE(Parse("scope -select -n 3", false));
  CHECK(Parse("scope -trim_name_regexes -no_option", false)
            .value()
            .query.tree.trim_name_regexes.Matches("-no_option"));
}

TEST_CASE("options have four spellings, and the last value counts") {
  const ParsedOptions parsed =
      Parse("scope -max_depth 3 --max_depth 4 -min_bytes=5 --min_micros=1ms -max_depth 6").value();
  CHECK(parsed.query.tree.max_depth == 6);
  CHECK(parsed.query.tree.min_bytes == 5);
  CHECK(parsed.query.tree.min_micros == 1000);
  CHECK(parsed.given[OptionIndex(*FindOption("max_depth"))]);
  CHECK_FALSE(parsed.given[OptionIndex(*FindOption("step"))]);
  CHECK(Parse("scope -step -1").value().query.place.step == -1);
  CHECK(Parse("scope -step 2:8", false).value().query.place.StepText() == "2:8");
  CHECK_FALSE(Parse("scope -step 2:8"));  // the original has single steps
  CHECK_FALSE(Parse("scope -step 8:2", false));
  CHECK_FALSE(Parse("scope -step 2:", false));
  CHECK(Texts(Parse("scope word -n 2").value().words) == Strings{"word"});
}

TEST_CASE("a flag takes the next word unless that starts with a dash") {
  const auto flag = [](const char* text) {
    return Parse(text).value().query.tree.account_displayed_op_only;
  };
  CHECK(flag("scope -account_displayed_op_only"));
  CHECK(flag("scope -account_displayed_op_only -max_depth 3"));
  CHECK_FALSE(flag("scope -account_displayed_op_only NO"));
  CHECK_FALSE(Parse("scope -account_displayed_op_only maybe"));
  const ParsedOptions second = Parse("scope -account_displayed_op_only maybe", false).value();
  CHECK(second.query.tree.account_displayed_op_only);
  CHECK(Texts(second.words) == Strings{"maybe"});
}

TEST_CASE("the original's orders are fixed, tables have their own") {
  CHECK_FALSE(Parse("scope -order_by depth"));
  CHECK(Parse("scope -order_by depth", false).value().query.display.order_column == "depth");
}

TEST_CASE("an error shows the line and marks the word") {
  const auto unknown = Parse("scope -max_dept 3");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().kind == ErrorKind::usage);
  CHECK(unknown.error().where == "scope -max_dept 3\n      ^~~~~~~~~");
  CHECK(unknown.error().hint == "did you mean -max_depth?");
  // Names of other programs.
  CHECK(Parse("scope -depth 3").error().hint == "did you mean -max_depth?");
  CHECK(Parse("scope -limit 3").error().hint == "did you mean -n?");
  CHECK(Parse("scope -sort micros").error().hint == "did you mean -order_by?");
  const auto value = Parse("scope -max_depth three");
  REQUIRE_FALSE(value);
  CHECK(value.error().where == "scope -max_depth three\n                 ^~~~~");
  const auto missing = Parse("scope -select");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().what == "-select needs a value");
}

TEST_CASE("marks are below letters, not bytes; control bytes are hidden; long lines are cut") {
  CHECK(MarkedLine("\xC3\xA9t\xC3\xA9 x", 6, 7) == "\xC3\xA9t\xC3\xA9 x\n    ^");
  CHECK(MarkedLine("a\x1B[2J b", 6, 7) == "a?[2J b\n      ^");
  const std::string marked =
      MarkedLine(std::string(5000, 'a') + "!" + std::string(5000, 'b'), 5000, 5001);
  CHECK(marked.size() < 230);
  CHECK(marked.starts_with("...aaa"));
  CHECK(marked.find("bbb...\n") != std::string::npos);
  CHECK(marked.find('!') == marked.find('^') - marked.find('\n') - 1);
}

TEST_CASE("a line is cut between letters, and only if it is too long") {
  const std::string words = "scope " + std::string(60, 'x') + " -opp 3";
  CHECK(MarkedLine(words, 67, 71).starts_with("scope xxx"));
  const std::string letters = [] {
    std::string text;
    for (int i = 0; i < 200; ++i) text += "\xC3\xA9";
    return text;
  }();
  const std::string marked = MarkedLine(letters + "!", 400, 401);
  CHECK(marked.starts_with("...\xC3\xA9"));
  const size_t shown = (marked.find('!') - 3) / 2;  // letters of two bytes
  CHECK(marked.substr(marked.find('\n') + 1) == std::string(3 + shown, ' ') + "^");
  CHECK_FALSE(MarkedLine(std::string(300, '\x80'), 150, 151).empty());
}

TEST_CASE("arguments become one line, as the user would type it") {
  const CommandLine line = JoinWords({"op", "a b", ""});
  CHECK(line.text == "op 'a b' ''");
  CHECK(Texts(line.words) == Strings{"op", "a b", ""});
  CHECK(line.words[1].begin == 3);
  CHECK(line.words[1].end == 8);
}

TEST_CASE("options in force are printed as they can be typed") {
  Query query;
  query.nodes.focus = {"=void f<int, 4>(it's \"x\")", "conv 1"};
  query.nodes.under = "my scope";
  query.tree.show_name_regexes = PatternList({"(?i).*a\\.b.*", "c|d"});
  query.place.device = "GPU:0 (compute)";
  REQUIRE(SetOption(*FindOption("where"), "name = 'it''s' or time > 50us", query));
  REQUIRE(SetOption(*FindOption("where"), "name ~ M and not a = \"x and y\"", query));
  std::string typed = "op";
  for (const char* name : {"focus", "under", "show_name_regexes", "device", "where"}) {
    typed += " " + AsTyped(*FindOption(name), query);
  }
  const CommandLine line = SplitShell(typed).value();
  const ParsedOptions parsed =
      ParseOptions(line, std::span(line.words).subspan(1), Query{}, false).value();
  CHECK(parsed.query.nodes.focus == query.nodes.focus);
  CHECK(parsed.query.nodes.under == query.nodes.under);
  CHECK(parsed.query.tree.show_name_regexes.patterns() == query.tree.show_name_regexes.patterns());
  CHECK(parsed.query.place.device == query.place.device);
  CHECK(FindOption("where")->print(parsed.query) == FindOption("where")->print(query));
}

TEST_CASE("an error about a part of a value is marked there") {
  const auto mark = [](const char* text, size_t word, ValuePart part) {
    const CommandLine line = SplitShell(text).value();
    Error error{ErrorKind::usage, "no", {}, {}};
    error.part = part;
    const std::string where = AtWord(error, line, line.words[word]).where;
    return where.substr(where.find('\n') + 1);
  };
  CHECK(mark("op -where 'a > 1'", 2, {0, 4, 5}) == "               ^");
  CHECK(mark("op -where='a > 1'", 1, {0, 0, 5}) == "           ^~~~~");
  CHECK(mark("op -where 'a > 1'", 2, {}) == "          ^~~~~~~");
  CHECK(mark("op -where a' > '1", 2, {0, 4, 5}) == "          ^~~~~~~");  // quotes within
}

}  // namespace
}  // namespace tfprof::command_test
