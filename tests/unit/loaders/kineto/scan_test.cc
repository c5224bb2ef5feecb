// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/base/arith.h"
#include "loaders/kineto/decimal.h"
#include "loaders/kineto/entry.h"
#include "loaders/kineto/places.h"
#include "loaders/wire/json_scan.h"
#include "tests/support/source_of.h"

namespace tfprof::kineto::scan_test {
namespace {

int64_t Ps(std::string_view text) {
  const std::optional<WidePs> ps = ReadMicros(text);
  REQUIRE(ps.has_value());
  return static_cast<int64_t>(*ps);
}

json::Cursor CursorOf(const SourceFile& file) {
  return {file.bytes.data(), file.bytes.data() + file.bytes.size()};
}

}  // namespace

TEST_CASE("microseconds are read exactly") {
  CHECK(Ps("0") == 0);
  CHECK(Ps("1") == 1'000'000);
  CHECK(Ps("0.001") == 1'000);
  CHECK(Ps("-2.5") == -2'500'000);
  CHECK(Ps("12.3456789") == 12'345'679);       // rounded to the ps
  CHECK(Ps("0.8669999999999618") == 867'000);  // a difference of doubles
  CHECK(Ps("0.0000001") == 0);
  CHECK(Ps("1e3") == 1'000'000'000);
  CHECK(Ps("1.5E-3") == 1'500);
  CHECK(Ps("2.e1") == 20'000'000);
  CHECK_FALSE(ReadMicros("NaN"));
  CHECK_FALSE(ReadMicros(""));
  CHECK_FALSE(ReadMicros("."));
  CHECK_FALSE(ReadMicros("1x"));
  CHECK_FALSE(ReadMicros("1e"));
}

TEST_CASE("digits that are read eight at once are all digits") {
  CHECK(Ps("12345678") == 12'345'678'000'000);
  CHECK(Ps("1234567890.123456") == 1'234'567'890'123'456);
  const std::string_view digits = "1234567890123456";
  for (size_t at = 1; at < digits.size(); ++at) {
    for (const char other : {'/', ':', '?', ' ', '\0', '\xb5'}) {
      std::string text(digits);
      text[at] = other;
      CHECK_FALSE(ReadMicros(text));
    }
  }
}

TEST_CASE("wall times of today keep their nanoseconds") {
  const WidePs a = *ReadMicros("1712195495519689.001"), b = *ReadMicros("1712195495519688.998");
  bool clamped = false;
  CHECK(ClampedDifference(a, b, &clamped) == 3'000);
  CHECK(*ReadMicros("9999999999999999999") == WidePs{9'999'999'999'999'999'999u} * 1'000'000);
  CHECK(*ReadMicros("18446744073709551616") == (WidePs{1} << 64) / 10 * 10 * 1'000'000);
  CHECK_FALSE(clamped);
  CHECK(ClampedDifference(*ReadMicros("1e300"), b, &clamped) == kMaxPs);
  CHECK(clamped);
}

TEST_CASE("values are skipped whole, whatever their texts contain") {
  // Every position of a bracket relative to blocks of 64 bytes, with escapes and without.
  for (size_t spaces = 0; spaces < 140; ++spaces) {
    for (const char* const inside : {"}]\\\"", "}]", "\\\\"}) {
      const std::string value = std::string("{\"a\": [1, {\"b\": \"") + inside + "\"}, \"" +
                                std::string(spaces, 'x') + "{\"], \"c\": {}}";
      const SourceFile file = SourceOf(std::string(spaces, ' ') + value + ", 1");
      json::Cursor cursor = CursorOf(file);
      REQUIRE(SkipValue(&cursor));
      CHECK(std::string_view(cursor.at, cursor.end) == ", 1");
    }
  }
  for (const std::string_view text : {"{\"a\": 1", "\"a", "[", "{\"a\": \"}", ""}) {
    const SourceFile file = SourceOf(text);
    json::Cursor cursor = CursorOf(file);
    CHECK_FALSE(SkipValue(&cursor));
    CHECK(cursor.at <= cursor.end);
  }
}

TEST_CASE("escapes are decoded, malformed ones stay") {
  std::string buffer;
  const auto decode = [&](std::string_view raw) {
    return std::string(json::Decoded({raw, true}, &buffer));
  };
  CHECK(decode("a\\n\\\"\\/") == "a\n\"/");
  CHECK(decode("\\u00e9\\ud83d\\ude00") == "\xC3\xA9\xF0\x9F\x98\x80");
  CHECK(decode("\\u12") == "\\u12");
  CHECK(decode("\\x\\") == "\\x\\");
}

TEST_CASE("keys of any length and with any bytes are read") {
  for (const std::string key :
       {"", "a", "ab", "abcd", "abcde", "A", "a B", "a\\\"b", "\xc3\xa9", "external id"}) {
    const SourceFile file = SourceOf("{\"" + key + "\": 1, \"" + key + "\" :{}}");
    json::Cursor cursor = CursorOf(file);
    int count = 0;
    CHECK(EachMember(&cursor, [&](std::string_view found, json::Cursor* value) {
      count += found == key ? 1 : 0;
      return SkipValue(value);
    }));
    CHECK(count == 2);
    CHECK(cursor.Done());
  }
  for (const std::string_view text : {"{\"", "{\"a", "{\"abcd", "{\"abcde", "{\"a\\\""}) {
    const SourceFile file = SourceOf(text);
    json::Cursor cursor = CursorOf(file);
    CHECK_FALSE(EachMember(&cursor, [](std::string_view, json::Cursor*) { return true; }));
    CHECK(cursor.at <= cursor.end);
  }
}

TEST_CASE("of members that occur twice the last counts") {
  const SourceFile file = SourceOf(
      R"({"ph":"X","ts":1,"name":"a","args":{"k":1,"k":2},"ts":"7.5", "extra":[{}], "tid":"t"})");
  json::Cursor cursor = CursorOf(file);
  Entry entry;
  REQUIRE(ReadEntry(&cursor, &entry));
  CHECK(entry.phase == 'X');
  CHECK(entry.start == "7.5");
  CHECK(entry.tid.Raw() == "t");
  CHECK(entry.pid.IsNull());
  json::Value values[3];
  ArgumentKeys({"k", "absent", "k"}).Read({entry.arguments, cursor.end}, values);
  CHECK(values[0].word == "2");
  CHECK(values[1].IsNull());
  CHECK(values[2].word == "2");
}

TEST_CASE("after a malformed entry the next one is found") {
  const SourceFile file = SourceOf(R"({"name":"a"b"},{"x":{"y":1}},{"name":"c"})");
  json::Cursor cursor = CursorOf(file);
  Entry entry;
  json::Cursor failed = cursor;
  CHECK_FALSE(ReadEntry(&failed, &entry));
  REQUIRE(SkipToEntry(&cursor));
  CHECK(std::string_view(cursor.at, 4) == "{\"x\"");
}

TEST_CASE("arguments are found again") {
  const SourceFile file = SourceOf(R"([{"args": {"a":1}},{"args" : {"b":2}}])");
  const Places places(file.bytes);
  const size_t at = file.bytes.find("{\"b\"");
  const uint32_t place = places.Of(file.bytes.data() + at);
  CHECK(places.At(place).at == file.bytes.data() + at);
  CHECK(places.Of(nullptr) == Places::kNone);
  CHECK(places.At(Places::kNone).Done());
}

}  // namespace tfprof::kineto::scan_test
