// SPDX-License-Identifier: Apache-2.0
#include "remote/stream.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tfprof::remote::stream_test {
namespace {

// What a stream passed on: the bytes of each field, joined, and numbers.
struct Taken {
  std::vector<std::pair<uint32_t, std::string>> bytes;
  std::vector<std::pair<uint32_t, uint64_t>> numbers;
};

struct Reader {
  Taken taken;
  FieldStream stream;

  Reader() {
    stream.bytes = [this](FieldNumber field, std::string_view part) {
      if (taken.bytes.empty() || taken.bytes.back().first != field.value) {
        taken.bytes.emplace_back(field.value, std::string());
      }
      taken.bytes.back().second += part;
      return true;
    };
    stream.number = [this](FieldNumber field, uint64_t value) {
      taken.numbers.emplace_back(field.value, value);
    };
  }

  // Takes the answer in pieces of `size` bytes.
  bool Take(std::string_view answer, size_t size) {
    for (; !answer.empty(); answer.remove_prefix(std::min(size, answer.size()))) {
      if (!stream.Take(answer.substr(0, size))) return false;
    }
    return true;
  }
};

using namespace std::string_literals;

// Fields 7 = 300, 8 = "abc", 9 as four and 10 as eight bytes, 200 = 1; then a message with 8 =
// "de".
const std::string kFields =
    "\x38\xac\x02"
    "\x42\x03"
    "abc"
    "\x4d"
    "1234"
    "\x51"
    "12345678"
    "\xc0\x0c\x01"s;
const std::string kAnswer = "\0\0\0\0\x19"s + kFields +
                            "\0\0\0\0\x04\x42\x02"
                            "de"s;

TEST_CASE("an answer has the same fields whatever the pieces are that it comes in") {
  REQUIRE(kFields.size() == 0x19);
  for (size_t size = 1; size <= kAnswer.size(); ++size) {
    Reader reader;
    CHECK(reader.Take(kAnswer, size));
    CHECK(reader.stream.complete());
    CHECK(reader.taken.numbers == std::vector<std::pair<uint32_t, uint64_t>>{{7, 300}, {200, 1}});
    // Fixed numbers are skipped; the two messages count as one.
    CHECK(reader.taken.bytes == std::vector<std::pair<uint32_t, std::string>>{{8, "abcde"}});
  }
}

TEST_CASE("an answer is complete at the end of a message only") {
  for (size_t size = 1; size < kAnswer.size(); ++size) {
    Reader reader;
    CHECK(reader.Take(std::string_view(kAnswer).substr(0, size), 7));
    CHECK(reader.stream.complete() == (size == 5 + kFields.size()));
  }
}

TEST_CASE("an empty message, and an empty field") {
  Reader reader;
  CHECK(reader.Take("\0\0\0\0\0\0\0\0\0\x02\x42\0"s, 3));
  CHECK(reader.stream.complete());
  CHECK(reader.taken.bytes.empty());
}

TEST_CASE("malformed answers") {
  const std::string answers[] = {
      "\x01\0\0\0\x01x"s,       // compressed
      "\0\0\0\0\x02\x42\x01"s,  // a field longer than its message
      "\0\0\0\0\x01\x42"s,      // a field without a length
      "\0\0\0\0\x01\x38"s,      // without a value
      "\0\0\0\0\x03\x4d"
      "12"s,                    // four bytes that are two
      "\0\0\0\0\x01\x43"s,      // a group
      "\0\0\0\0\x01\xc0\x0c"s,  // a tag longer than its message
      "\0\0\0\0\x02\x02\0"s,    // field 0
      "\0\0\0\0\x0c\x38\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s,  // a number of more than 64
                                                                        // bits
  };
  for (const std::string& answer : answers) {
    for (const size_t size : {size_t{1}, answer.size()}) {
      Reader reader;
      CHECK_FALSE(reader.Take(answer, size));
      CHECK(reader.stream.malformed());
      CHECK_FALSE(reader.stream.complete());
    }
  }
}

TEST_CASE("the rest of an answer is refused") {
  FieldStream stream;
  int calls = 0;
  stream.bytes = [&](FieldNumber, std::string_view) { return ++calls < 2; };
  CHECK(
      stream.Take("\0\0\0\0\x08\x42\x06"
                  "abc"s));
  CHECK_FALSE(stream.Take("def"));
  CHECK_FALSE(stream.malformed());
}

}  // namespace
}  // namespace tfprof::remote::stream_test
