// SPDX-License-Identifier: Apache-2.0
#include "core/details.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

namespace tfprof {
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
    REQUIRE(BytesOf(base, 0, true) == 1000);
  }
  REQUIRE(BytesOf(7, uint64_t{1} << 20, false) == 4 * 1000 + 8);
  REQUIRE(BytesOf(7, uint64_t{1} << 50, true) == 8 * 1000 + 8 + 1000);
}

TEST_CASE("numbers and texts of a column, in any mixture") {
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

}  // namespace tfprof
