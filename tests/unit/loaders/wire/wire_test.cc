// SPDX-License-Identifier: Apache-2.0
#include "loaders/wire/message.h"

#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <string>

namespace tfprof::wire_test {
namespace {

// `bytes` in memory whose padding is `fill`: results must not depend on it.
struct Padded {
  Padded(std::string_view bytes, char fill) : text(bytes), size(bytes.size()) {
    text.append(64, fill);
  }
  std::string_view view() const { return std::string_view(text).substr(0, size); }
  std::string text;
  size_t size;
};

std::string Varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

// All fields as text; "bad N" at the end where the message is malformed at byte N.
std::string Value(wire::Fields* fields) {
  switch (fields->type()) {
    case wire::kVarint: return "=" + std::to_string(fields->Varint());
    case wire::kBytes: return "\"" + std::string(fields->Bytes()) + "\"";
    case wire::kFixed32: return "f" + std::to_string(fields->Fixed32());
    case wire::kFixed64: return "d" + std::to_string(fields->Fixed64());
    default: fields->Skip(); return "";
  }
}

std::string WalkFields(std::string_view message) {
  std::string text;
  wire::Fields fields(message);
  while (fields.Next()) {
    const std::string value = Value(&fields);
    if (fields.bad() == nullptr) text += std::to_string(fields.number()) + value + " ";
  }
  if (fields.bad() != nullptr) text += "bad " + std::to_string(fields.bad() - message.data());
  return text;
}

std::string Walk(const std::string& bytes) {
  const Padded zeros(bytes, '\0'), ones(bytes, '\xff'), low(bytes, '\x01');
  const std::string text = WalkFields(zeros.view());
  REQUIRE(WalkFields(ones.view()) == text);
  REQUIRE(WalkFields(low.view()) == text);
  return text;
}

std::string Group(int depth) {
  std::string bytes;
  for (int i = 0; i < depth; ++i) bytes += '\x0b';
  for (int i = 0; i < depth; ++i) bytes += '\x0c';
  return bytes;
}

}  // namespace

TEST_CASE("wire: varints of all lengths are read") {
  for (int bits = 0; bits < 64; ++bits) {
    for (const uint64_t value :
         {uint64_t{1} << bits, (uint64_t{1} << bits) - 1, (uint64_t{1} << bits) | 0x55}) {
      REQUIRE(Walk("\x08" + Varint(value)) == "1=" + std::to_string(value) + " ");
    }
  }
  const auto max = std::numeric_limits<uint64_t>::max();
  REQUIRE(Walk("\x08" + Varint(max)) == "1=" + std::to_string(max) + " ");
  // Longer than needed is allowed, up to ten bytes.
  REQUIRE(Walk(std::string("\x08\x85\x80\x80\x80\x80\x80\x80\x80\x80\x00", 11)) == "1=5 ");
  REQUIRE(Walk(std::string("\x08\x85\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 12)) == "bad 0");
}

TEST_CASE("wire: gathered varints equal plain ones for any bytes") {
  if (!wire::gathers_bits) return;
  std::mt19937_64 random(11);
  for (int i = 0; i < 200'000; ++i) {
    std::string bytes(32, '\0');
    for (char& c : bytes) c = static_cast<char>(random() | (random() % 4 == 0 ? 0 : 0x80));
    uint64_t plain = 0, gathered = 0;
    const char* after = wire::PlainVarint::Read(bytes.data(), &plain);
    REQUIRE(wire::ReadVarintBy<wire::GatheredVarint>(bytes.data(), &gathered) == after);
    if (after != nullptr) REQUIRE(gathered == plain);
  }
}

TEST_CASE("wire: short fields with one tag are skipped as far as they are complete") {
  const std::string event(
      "\x22\x03"
      "abc"),
      longest = "\x22\x7f" + std::string(127, 'l'),
      too_long = "\x22\x80\x01" + std::string(128, 'l');
  const Padded file(event + event + "\x08\x01" + longest + too_long + event + longest, '\xff');
  const char* const end = file.text.data() + 999;
  wire::Fields fields(file.view());
  REQUIRE(fields.SkipShort(0x22, file.text.data() + 1) == 1);  // the second begins behind it
  REQUIRE(fields.SkipShort(0x22, end) == 1);
  REQUIRE(fields.Next());
  REQUIRE(fields.Varint() == 1);
  REQUIRE(fields.SkipShort(0x22, end) == 1);
  REQUIRE(fields.Next());
  REQUIRE(fields.Bytes().size() == 128);
  REQUIRE(fields.SkipShort(0x22, end) == 1);
  REQUIRE(fields.SkipShort(0x22, end) == 0);  // the last of the message
  REQUIRE(fields.Next());
  REQUIRE(fields.Bytes().size() == 127);
  REQUIRE_FALSE(fields.Next());
  for (const std::string& cut :
       {std::string("\x22"),
        std::string("\x22\x03"
                    "ab"),
        "\x22\x7f" + std::string(126, 'x'), "\x22\x80\x01" + std::string(128, 'x')}) {
    const Padded rest(cut, 'y');
    wire::Fields last(rest.view());
    REQUIRE(last.SkipShort(0x22, rest.text.data() + 999) == 0);
    REQUIRE(last.position() == rest.text.data());
  }
}

TEST_CASE("wire: a truncated varint or length is an error at the start of the field") {
  const std::string good = "\x08\x05";
  for (int size = 1; size < 10; ++size) {
    REQUIRE(Walk(good + "\x08" + std::string(static_cast<size_t>(size), '\x80')) == "1=5 bad 2");
  }
  REQUIRE(Walk(good + "\x12") == "1=5 bad 2");
  REQUIRE(Walk(good + "\x12\x03xy") == "1=5 bad 2");
  REQUIRE(Walk(good + "\x12" + Varint(std::numeric_limits<uint64_t>::max())) == "1=5 bad 2");
  REQUIRE(Walk(good + "\x12" + Varint(uint64_t{1} << 63)) == "1=5 bad 2");
  REQUIRE(Walk(good + "\x0d\1\2\3") == "1=5 bad 2");
  REQUIRE(Walk(good + "\x09\1\2\3\4\5\6\7") == "1=5 bad 2");
}

TEST_CASE("wire: tags are read") {
  REQUIRE(Walk(Varint(uint64_t{536870911} << 3) + "\x07") == "536870911=7 ");
  REQUIRE(Walk(std::string("\x00\x01", 2)) == "bad 0");          // field 0
  REQUIRE(Walk(std::string("\x80\x00\x01", 3)) == "bad 0");      // field 0, written longer
  REQUIRE(Walk("\x0e\x01") == "bad 0");                          // type 6
  REQUIRE(Walk("\x0f\x01") == "bad 0");                          // type 7
  REQUIRE(Walk("\x88\x80\x80\x80\x80\x80\x01\x01") == "bad 0");  // more than five bytes
}

TEST_CASE("wire: groups are skipped up to a depth limit") {
  REQUIRE(Walk("\x0b\x08\x05\x12\x01z\x0c\x10\x07") == "1 2=7 ");
  REQUIRE(Walk("\x0b\x08\x05") == "bad 0");      // not closed
  REQUIRE(Walk("\x0b\x08\x05\x14") == "bad 0");  // closed by another field
  REQUIRE(Walk("\x0c") == "bad 0");              // closed but not open
  REQUIRE(Walk(Group(100)) == "1 ");
  REQUIRE(Walk(Group(101)) == "bad 0");
  REQUIRE(Walk(Group(1'000'000)) == "bad 0");
}

TEST_CASE("wire: of a repeated scalar the last value counts, wherever it is") {
  const std::string one = "\x08" + Varint(7), two = "\x10" + Varint(300), many = "\x1a\x01x",
                    other = "\x20\x05\x32\x01y";
  for (const std::string& bytes :
       {one + "\x08" + Varint(8) + two + many + many,
        two + many + one + other + many + two + "\x08" + Varint(8),
        many + "\x10" + Varint(1) + two + one + many + "\x08" + Varint(8)}) {
    const Padded file(bytes, '\x08');  // behind the end it goes on like a field
    int64_t first = 0, second = 0;
    std::string texts;
    const auto add = [&](std::string_view text) -> const char* {
      texts += text;
      return nullptr;
    };
    REQUIRE(wire::ReadMessage(file.view(), wire::Number<FieldNumber(1)>(&first),
                              wire::Number<FieldNumber(2)>(&second),
                              wire::Each<FieldNumber(3)>(add)) == nullptr);
    REQUIRE(first == 8);
    REQUIRE(second == 300);
    REQUIRE(texts == "xx");
  }
}

TEST_CASE("wire: packed numbers are read") {
  uint64_t sum = 0;
  const auto add = [&](uint64_t value) { sum += value; };
  const Padded good(Varint(1) + Varint(300) + Varint(uint64_t{1} << 40), '\xff');
  REQUIRE(wire::EachPacked(good.view(), add));
  REQUIRE(sum == 301 + (uint64_t{1} << 40));
  const Padded cut("\x01\x80", '\x00');
  REQUIRE(!wire::EachPacked(cut.view(), add));
  REQUIRE(wire::EachPacked(std::string_view(), add));
}

TEST_CASE("wire: truncated data can still be inspected") {
  const Padded message(
      "\x0a\x7f"
      "abc",
      '\0');
  wire::Fields fields(message.view());
  REQUIRE(fields.Next());
  REQUIRE(fields.BytesOrRest() == "abc");
  REQUIRE(fields.bad() == message.view().data());
  REQUIRE(!fields.Next());
}

TEST_CASE("wire: no random bytes are read beyond the end") {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 24, '\0');
    for (char& c : bytes) c = static_cast<char>(random() % 4 == 0 ? random() : random() % 32);
    Walk(bytes);
  }
}

}  // namespace tfprof::wire_test
