// SPDX-License-Identifier: Apache-2.0
#include "loaders/wire/json.h"

#include <catch2/catch.hpp>
#include <random>

namespace tfprof::wire_json_test {
namespace {

constexpr int kNesting = 8;

std::string ErrorText(std::string_view bytes) {
  const Result<JsonValue> read = ReadJson(bytes, kNesting);
  REQUIRE(!read.has_value());
  CHECK(read.error().kind == ErrorKind::corrupt);
  return read.error().what;
}

TEST_CASE("JSON: values of all kinds, and members that are absent or of another kind") {
  const JsonValue json = ReadJson(
                             " {\"a\": [1, -2.5e3, true, null], \"b\": {\"c\": \"x\"},\n"
                             "\"a\": 7, \"big\": 9223372036854775807, \"over\": 1e99} ",
                             kNesting)
                             .value();
  CHECK(json.kind == JsonKind::object);
  const std::vector<JsonValue>& list = json.List("a");  // of equal keys, the first
  REQUIRE(list.size() == 4);
  CHECK(list[0].text == "1");
  CHECK(list[1].kind == JsonKind::number);
  CHECK(list[1].text == "-2.5e3");
  CHECK(list[2].kind == JsonKind::boolean);
  CHECK(list[3].kind == JsonKind::null);
  CHECK(json.At("b").Text("c") == "x");
  CHECK(json.Integer("big") == 9223372036854775807);
  CHECK(json.Integer("over") == kNoInt);
  CHECK(json.Integer("b") == kNoInt);
  CHECK(json.Text("a").empty());
  CHECK(json.List("b").empty());
  CHECK(!json.IsTrue("absent"));
  CHECK(json.At("absent").At("deeper").kind == JsonKind::null);
  CHECK(ReadJson("[]", kNesting).value().items.empty());
  CHECK(ReadJson("{}", kNesting).value().keys.empty());
}

TEST_CASE("JSON: escapes, halves of characters, and bytes that are no UTF-8") {
  const JsonValue json =
      ReadJson(
          "[\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\", \"\xff\"]",
          kNesting)
          .value();
  CHECK(json.items[0].text == "a\"\\/\b\f\n\r\t");
  CHECK(json.items[1].text == "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(json.items[2].text == "\xff");
  CHECK(ReadJson("\"\\x\\u12g4\"", kNesting).value().text == "\\x\\u12g4");  // none stays as it is
}

TEST_CASE("JSON: what is wrong, with its line") {
  CHECK(ErrorText("") == "malformed JSON in line 1: it ends early");
  CHECK(ErrorText("{\n\"a\": 1,\n") == "malformed JSON in line 3: it ends early");
  CHECK(ErrorText("{\"a\": [1 2]}") == "malformed JSON in line 1: no comma between values");
  CHECK(ErrorText("{\"a\" 1}") == "malformed JSON in line 1: no colon after a key");
  CHECK(ErrorText("{a: 1}") == "malformed JSON in line 1: a key is not in quotes");
  CHECK(ErrorText("[,]") == "malformed JSON in line 1: a value is missing");
  CHECK(ErrorText("[1] 2") == "malformed JSON in line 1: text follows the value");
  CHECK(ErrorText("\"\\u12") == "malformed JSON in line 1: it ends early");
  CHECK(ErrorText("\"abc") == "malformed JSON in line 1: it ends early");
}

TEST_CASE("JSON: nesting has a limit, however many values are beside each other") {
  CHECK(ReadJson("[[[[[[[[]]]]]]]]", kNesting).has_value());
  CHECK(ErrorText("[[[[[[[[[]]]]]]]]]") ==
        "malformed JSON in line 1: values are nested too deeply");
  CHECK(ReadJson("[[],[],[],[],[],[],[],[],[],[]]", kNesting).has_value());
}

TEST_CASE("JSON: a text that is cut or changed is a value or an error with a line") {
  const std::string text =
      "{\"a\": [1, -2.5e3, true, null, \"\\ud83d\\ude00 \\n\"],\n \"b\": {\"c\": \"x\"}}";
  for (size_t length = 0; length < text.size(); ++length) {
    CHECK(ErrorText(text.substr(0, length)).find("malformed JSON in line ") == 0);
  }
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = text;
    for (int n = 0; n < 3; ++n) changed[random() % text.size()] = "\"\\{}[],:u01 \n"[random() % 14];
    const Result<JsonValue> read = ReadJson(changed, kNesting);
    if (!read) REQUIRE(read.error().kind == ErrorKind::corrupt);
  }
}

}  // namespace
}  // namespace tfprof::wire_json_test
