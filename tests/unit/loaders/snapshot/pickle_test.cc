// SPDX-License-Identifier: Apache-2.0
#include "loaders/snapshot/pickle.h"

#include <catch2/catch.hpp>
#include <string>

#include "tests/support/pickle_of.h"

namespace tfprof::snapshot::pickle_test {
namespace {

using namespace std::string_literals;
using pickled::File;

// The texts point into `bytes`.
Pickle Read(const std::string& bytes) {
  Pickle pickle;
  const PickleError error = ReadPickle(bytes, &pickle);
  INFO(error.what);
  REQUIRE(error.at == nullptr);
  return pickle;
}

int64_t IntegerOf(const std::string& value) {
  const std::string bytes = File(value);
  const Pickle pickle = Read(bytes);
  return pickle.Integer(pickle.root);
}

PickleError ErrorOf(const std::string& bytes) {
  Pickle pickle;
  return ReadPickle(bytes, &pickle);
}

}  // namespace

TEST_CASE("integers of a pickle in all their forms") {
  REQUIRE(IntegerOf("K\xFF"s) == 255);
  REQUIRE(IntegerOf("M\x00\x80"s) == 32768);
  REQUIRE(IntegerOf("J\xFE\xFF\xFF\xFF"s) == -2);
  REQUIRE(IntegerOf("\x8a\x00"s) == 0);
  REQUIRE(IntegerOf("\x8a\x01\xFF"s) == -1);
  REQUIRE(IntegerOf("\x8a\x06\x00\x00\x00\x00\x20\x7f"s) == 0x7f2000000000);
  REQUIRE(IntegerOf("\x8b\x02\x00\x00\x00\x00\x01"s) == 256);
  REQUIRE(IntegerOf("\x8a\x09\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x00"s) == -1);  // 2^64 - 1: 64 bits
  REQUIRE(IntegerOf("\x8a\x0A"s + std::string(10, '\x01')) == kNoInt);
  REQUIRE(IntegerOf("\x88"s) == 1);
  REQUIRE(IntegerOf("N"s) == kNoInt);
}

TEST_CASE("lists, tuples and dicts of a pickle, built at once or one by one") {
  const std::string bytes = File(
      "}(X\x01\x00\x00\x00"
      "a](K\x01K\x02"
      "e\x8c\x01"
      "bK\x03K\x04\x86u"s +
      "X\x01\x00\x00\x00"
      "c]K\x05"
      "as"s);
  const Pickle pickle = Read(bytes);
  REQUIRE(pickle.root.kind == PickleKind::dict);
  REQUIRE(pickle.Elements(pickle.Get(pickle.root, "a")).size() == 2);
  REQUIRE(pickle.Integer(pickle.Elements(pickle.Get(pickle.root, "b"))[1]) == 4);
  REQUIRE(pickle.Integer(pickle.Elements(pickle.Get(pickle.root, "c"))[0]) == 5);
  REQUIRE(pickle.Get(pickle.root, "d").kind == PickleKind::none);
}

TEST_CASE("the last value of a key of a dict counts") {
  const std::string bytes = File(pickled::Dict({{"a", "K\x01"}, {"a", "K\x02"}}));
  const Pickle pickle = Read(bytes);
  REQUIRE(pickle.Integer(pickle.root, "a") == 2);
}

TEST_CASE("what a pickle refers to again is the same object") {
  // [x, x] with x = [], which then gets an element.
  const std::string bytes = File(
      "](]\x94h\x00K\x07"
      "ae"s);
  const Pickle pickle = Read(bytes);
  const auto elements = pickle.Elements(pickle.root);
  REQUIRE(elements.size() == 2);
  REQUIRE(elements[0].bits == elements[1].bits);
  REQUIRE(pickle.Integer(pickle.Elements(elements[0])[0]) == 7);
}

TEST_CASE("a pickle that would import or call something is refused where it does") {
  for (const std::string& code :
       {"cos\nsystem\n"s, "\x8c\x02os\x8c\x06system\x93"s, "K\x01)R"s, "K\x01)\x81"s, "K\x01}b"s,
        "K\x01Q"s, "(ios\nsystem\n"s, "\x82\x01"s}) {
    const std::string bytes = File(code);
    const PickleError error = ErrorOf(bytes);
    REQUIRE(error.at != nullptr);
    REQUIRE(error.what.find("code") != error.what.npos);
  }
  const std::string bytes = File("K\x01)R"s);
  REQUIRE(ErrorOf(bytes).at == bytes.data() + 5);
}

TEST_CASE("damaged pickles are errors, and nothing is read outside of them") {
  const std::string whole =
      File(pickled::Dict({{"a", pickled::List({pickled::Integer(1), pickled::Text("b"),
                                               "G@\x00\x00\x00\x00\x00\x00\x00"s})}}));
  (void)Read(whole);
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::string part = whole.substr(0, size);
    REQUIRE(ErrorOf(part).at != nullptr);
  }
  for (const std::string& bad :
       {"e"s, "(e"s,
        "K\x01"
        "a"s,
        "]u"s, "}(K\x01u"s, "h\x00"s, "0"s, "1"s, "(0"s, "\x85"s, "](K\x01"s, "K\x01K\x02"s,
        "r\xFF\xFF\xFF\x00"s, "X\xFF\xFF\xFF\xFF"s, "\x8d\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s,
        "K\x01(\x85"s, "Z"s, "\x00"s}) {
    INFO(bad);
    REQUIRE(ErrorOf(File(bad)).at != nullptr);
  }
}

}  // namespace tfprof::snapshot::pickle_test
