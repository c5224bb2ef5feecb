// SPDX-License-Identifier: Apache-2.0
#include "core/query/condition.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

namespace tfprof::condition_test {
namespace {

using Kind = Condition::Kind;

// The tree with all its parentheses: AND[a=1, NOT[b~x]].
std::string TreeOf(const Condition& condition) {
  const Where& term = condition.term;
  if (condition.kind == Kind::term) return term.column + term.op + "{" + term.value + "}";
  std::string out;
  for (const Condition& part : condition.parts) out += (out.empty() ? "" : ", ") + TreeOf(part);
  const char* name = condition.kind == Kind::all ? "AND" : "OR";
  return (condition.kind == Kind::none ? "NOT" : name) + ("[" + out + "]");
}

std::string Tree(std::string_view text) {
  const Result<Condition> condition = ParseCondition(text);
  return condition ? TreeOf(*condition) : "error: " + condition.error().what;
}

// The wrong part of the text, as typed.
std::string WrongPart(std::string_view text) {
  const Result<Condition> condition = ParseCondition(text);
  if (condition) return "no error";
  const ValuePart part = condition.error().part;
  return std::string(text.substr(std::min(part.begin, text.size()), part.end - part.begin));
}

std::string Printed(std::string_view text) {
  const Result<Condition> condition = ParseCondition(text);
  return condition ? PrintCondition(*condition) : "error: " + condition.error().what;
}

}  // namespace

TEST_CASE("and binds closer than or, not closer than both") {
  CHECK(Tree("a = 1") == "a={1}");
  CHECK(Tree("a=1 and b>=2 or c!=3") == "OR[AND[a={1}, b>={2}], c!={3}]");
  CHECK(Tree("a = 1 AND (b = 2 Or c = 3)") == "AND[a={1}, OR[b={2}, c={3}]]");
  CHECK(Tree("not a = 1 and b = 2") == "AND[NOT[a={1}], b={2}]");
  CHECK(Tree("not(a = 1 or b = 2)and(c = 3)") == "AND[NOT[OR[a={1}, b={2}]], c={3}]");
  CHECK(Tree("total time > 1ms and cum % < 50%") == "AND[total time>{1ms}, cum %<{50%}]");
}

TEST_CASE("a value may contain and, or and parentheses") {
  CHECK(Tree("name = salt and pepper") == "name={salt and pepper}");
  CHECK(Tree("name = this or that and a = 1") == "AND[name={this or that}, a={1}]");
  CHECK(Tree("category = and") == "category={and}");
  CHECK(Tree("category = and or category = not") == "OR[category={and}, category={not}]");
  CHECK(Tree("name ~ ^(conv|pool) and a = 1") == "AND[name~{^(conv|pool)}, a={1}]");
  CHECK(Tree("(name ~ f(x) or a = 1)") == "OR[name~{f(x)}, a={1}]");
  CHECK(Tree(R"((name ~ f\) or a = 1))") == R"(OR[name~{f\)}, a={1}])");
  CHECK(Tree("name = a)") == "name={a)}");  // it closes nothing
  CHECK(Tree("bytes (MiB) > 3") == "bytes (MiB)>{3}");
}

TEST_CASE("quotes end a value") {
  CHECK(Tree("name = 'a and b = 1' or c = 2") == "OR[name={a and b = 1}, c={2}]");
  CHECK(Tree("(name = \"a)\" or c = 2)") == "OR[name={a)}, c={2}]");
  CHECK(Tree("name = 'it''s'") == "name={it's}");
  CHECK(Tree("name = it's") == "name={it's}");
  CHECK(Tree("name = 'open") == "name={open}");  // quotes at the ends never counted
  CHECK(Tree("a = '' and b = 1") == "AND[a={}, b={1}]");
}

TEST_CASE("an error has the wrong part of a condition") {
  CHECK(WrongPart("time > 1 and bytes") == "no error");  // of texts it is a value
  CHECK(WrongPart("(bytes) or a = 1") == "bytes");
  CHECK(WrongPart("a = 1 or b ~= 2 and c = 1") == "b ~= 2");
  CHECK(WrongPart("a = 1 and (b = 2") == "(");
  CHECK(WrongPart("(a = 1) b = 2") == "b = 2");
  CHECK(WrongPart("(a = 1)) or b = 2") == ") or b = 2");
  CHECK(WrongPart("a = 1 and") == "and");
  CHECK(WrongPart("time or bytes > 3") == "time");
  CHECK(WrongPart("()") == ")");
  CHECK(Tree("micros") == "error: 'micros' is not COLUMN OP VALUE");
}

TEST_CASE("conditions nest 32 deep at most") {
  const auto nested = [](size_t depth) {
    return std::string(depth, '(') + "a = 1" + std::string(depth, ')');
  };
  CHECK(Tree(nested(32)) == "a={1}");
  CHECK(Tree(nested(33)) == "error: a condition nests too deep");
  std::string negated = "a = 1";
  for (int i = 0; i < 33; ++i) negated.insert(0, "not ");
  CHECK(Tree(negated) == "error: a condition nests too deep");
  CHECK_FALSE(ParseCondition(std::string(1'000'000, '(')));
}

TEST_CASE("a condition is printed with the parentheses and quotes that it needs") {
  CHECK(Printed("((a=1) and ((b = 2))) or c==3") == "a = 1 and b = 2 or c = 3");
  CHECK(Printed("a=1 and (b=2 or c=3)") == "a = 1 and (b = 2 or c = 3)");
  CHECK(Printed("not (a=1 and b=2)") == "not (a = 1 and b = 2)");
  CHECK(Printed("name = salt and pepper") == "name = \"salt and pepper\"");
  CHECK(Printed("name ~ (a|\"b\")") == "name ~ '(a|\"b\")'");
  CHECK(Printed("a~") == "a ~ \"\"");
  CHECK(Printed("name ~ ^conv or time > 5us") == "name ~ ^conv or time > 5us");
}

TEST_CASE("what is printed parses to the same condition") {
  const std::vector<std::string> words = {"a",    " and ", " or ", "not ", "(",  ")",  " = ",
                                          " ~ ",  " > ",   "'",    "\"",   "\\", " ",  "1ms",
                                          "time", "and",   "-",    "!=",   "()", "<=", "or("};
  std::mt19937 random(7);
  int parsed = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string text = i % 2 == 0 ? "a = 1 and (b ~ x or c = 2)" : "";
    for (size_t n = random() % 12 + 1; n > 0; --n) {
      text.insert(random() % (text.size() + 1), words[random() % words.size()]);
    }
    const Result<Condition> condition = ParseCondition(text);
    if (!condition) continue;
    ++parsed;
    const std::string printed = PrintCondition(*condition);
    INFO(text << " was printed as " << printed);
    REQUIRE(Printed(printed) == printed);
    std::string terms, again;
    EachTerm(*condition, [&](const Where& term) { terms += term.column + term.op + term.value; });
    const Result<Condition> reread = ParseCondition(printed);
    EachTerm(*reread, [&](const Where& term) { again += term.column + term.op + term.value; });
    REQUIRE(terms == again);
  }
  CHECK(parsed > 20'000);
}

TEST_CASE("the last term of an incomplete condition is found") {
  const auto last = [](std::string_view text) { return text.substr(LastTerm(text)); };
  CHECK(last("cpu t") == "cpu t");
  CHECK(last("a = 1 and cpu t") == "cpu t");
  CHECK(last("a = 1 or not (by") == "by");
  CHECK(last("a = 1 and ").empty());
  CHECK(last("(").empty());
  CHECK(last("not") == "not");  // the word may go on
}

}  // namespace tfprof::condition_test
