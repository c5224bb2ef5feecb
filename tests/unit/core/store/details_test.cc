// SPDX-License-Identifier: Apache-2.0
#include "core/store/details.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace tfprof::store_details_test {
namespace {

constexpr auto kAbsent = static_cast<uint8_t>(ValueKind::absent);
constexpr auto kInteger = static_cast<uint8_t>(ValueKind::integer);
constexpr auto kNatural = static_cast<uint8_t>(ValueKind::natural);
constexpr auto kReal = static_cast<uint8_t>(ValueKind::real);
constexpr auto kText = static_cast<uint8_t>(ValueKind::text);

// Every third row is absent where `gaps`.
size_t BytesOf(uint64_t base, uint64_t step, bool gaps) {
  std::vector<uint8_t> kinds;
  std::vector<uint64_t> bits;
  for (uint64_t i = 0; i < 1000; ++i) {
    kinds.push_back(gaps && i % 3 == 0 ? kAbsent : kNatural);
    bits.push_back(kinds.back() == kAbsent ? 0 : base + i * step);
  }
  const DetailBlock block(kinds, bits);
  for (uint32_t i = 0; i < 1000; ++i) {
    REQUIRE(static_cast<uint8_t>(block.Kind(i)) == kinds[i]);
    if (kinds[i] != kAbsent) REQUIRE(block.Bits(i) == bits[i]);
  }
  return block.bytes() - sizeof block;
}

}  // namespace

TEST_CASE("a block takes as many bytes as its values differ") {
  for (const uint64_t base : {uint64_t{0}, uint64_t{1} << 40, ~uint64_t{0} - 999}) {
    REQUIRE(BytesOf(base, 0, false) == 0);
    REQUIRE(BytesOf(base, 1, false) == 2 * 1000 + 8);
    REQUIRE(BytesOf(base, 0, true) == 1000 + 8);
  }
  REQUIRE(BytesOf(7, uint64_t{1} << 20, false) == 4 * 1000 + 8);
  REQUIRE(BytesOf((uint64_t{1} << 40) + 0xFFFFFF00, uint64_t{1} << 10, false) == 4 * 1000 + 8);
  REQUIRE(BytesOf(7, uint64_t{1} << 50, true) == 8 * 1000 + 8 + 1000 + 8);
}

TEST_CASE("a column may mix numbers and texts") {
  DetailColumn column;
  const NameId text = column.texts.Intern("text");
  column.text_of = {NameId(), text};
  column.rows = {100, 5};
  column.blocks.emplace_back(std::vector<uint8_t>{kInteger, kNatural, kReal, kText, kAbsent},
                             std::vector<uint64_t>{static_cast<uint64_t>(int64_t{-7}), 9,
                                                   std::bit_cast<uint64_t>(2.75), 1, 0});
  REQUIRE(column.Integer(100) == -7);
  REQUIRE(column.Real(100) == -7);
  REQUIRE(column.Integer(101) == 9);
  REQUIRE(column.Integer(102) == 2);
  REQUIRE(column.Real(102) == 2.75);
  REQUIRE(column.Text(103) == "text");
  REQUIRE(column.Integer(103) == kNoInt);
  REQUIRE(!column.Has(104));
  REQUIRE(column.Integer(104) == kNoInt);
  REQUIRE(std::isnan(column.Real(104)));
  REQUIRE(column.Text(104).data() == nullptr);
}

// Blocks of one value, of one kind, and of anything, with stretches of equal rows.
DetailColumn RandomColumn(std::mt19937& random) {
  DetailColumn column;
  column.text_of = {column.texts.Intern("a"), column.texts.Intern("b")};
  column.rows = {1000, 3 * DetailBlock::kRows + 77};
  for (uint32_t first = 0; first < column.rows.count; first += DetailBlock::kRows) {
    const uint32_t rows = std::min(DetailBlock::kRows, column.rows.count - first);
    const uint32_t kind_count = random() % 2 == 0 ? 1 : 6, value_count = random() % 3 == 0 ? 1 : 3;
    std::vector<uint8_t> kinds;
    std::vector<uint64_t> bits;
    while (kinds.size() < rows) {
      const auto kind = static_cast<uint8_t>((kind_count == 1 ? first : random()) % 6);
      const bool is_text = kind == kText || kind == static_cast<uint8_t>(ValueKind::bytes);
      const uint64_t value = random() % value_count % (is_text ? 2 : 3);
      const size_t stretch = std::min<size_t>(rows - kinds.size(), 1 + random() % 9);
      kinds.insert(kinds.end(), stretch, kind);
      bits.insert(bits.end(), stretch, kind == kReal ? std::bit_cast<uint64_t>(1.5) : value);
    }
    column.blocks.emplace_back(kinds, bits);
  }
  return column;
}

TEST_CASE("a cursor reads the values of a column in any order of rows") {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    const DetailColumn column = RandomColumn(random);
    DetailCursor cursor(column);
    for (uint32_t i = 0; i < 4000; ++i) {
      const uint32_t row = column.rows.first + (i < 2000 ? i * 12 : random() % column.rows.count);
      REQUIRE(cursor.Kind(row) == column.Kind(row));
      REQUIRE(cursor.Bits(row) == column.Bits(row));
      REQUIRE(cursor.Integer(row) == column.Integer(row));
      REQUIRE(cursor.TextId(row) == column.TextId(row));
    }
  }
  const DetailColumn none;
  DetailCursor cursor(none);
  CHECK(!cursor.Has(0));
  CHECK(cursor.Integer(1'000'000) == kNoInt);
  CHECK(!cursor.TextId(5).some());
}

TEST_CASE("runs of a column extend as long as its values are equal") {
  std::mt19937 random(4);
  for (int round = 0; round < 20; ++round) {
    const DetailColumn column = RandomColumn(random);
    const Range rows{column.rows.first + 5, column.rows.count - 9};
    uint32_t next = rows.first;
    column.EachRun(rows, [&](uint32_t first, uint32_t end) {
      REQUIRE(first == next);
      REQUIRE(end > first);
      for (uint32_t row = first; row < end; ++row) {
        REQUIRE(column.Kind(row) == column.Kind(first));
        REQUIRE(column.Bits(row) == column.Bits(first));
      }
      next = end;
    });
    CHECK(next == rows.first + rows.count);
  }
}

TEST_CASE("a key is shared by formats, or belongs to the file") {
  for (const AttributeKeyInfo& info : AttributeKeys()) {
    INFO(info.name);
    const DetailKey key = DetailKey::Named(info.name);
    CHECK(key.IsShared());
    CHECK(key.Is(info.key));
    CHECK(key == DetailKey(info.key));
    CHECK(key.name() == info.name);
    CHECK(!info.meaning.empty());
  }
  const DetailKey of_file = DetailKey::Named("lr");
  CHECK(!of_file.IsShared());
  CHECK(!of_file.Is(AttributeKey::work));
  CHECK(of_file.name() == "lr");
  CHECK(!(of_file == DetailKey(AttributeKey::work)));
  CHECK(!DetailKey::Named({}).IsShared());
}

}  // namespace tfprof::store_details_test
