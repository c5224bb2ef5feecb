// SPDX-License-Identifier: Apache-2.0
#include "core/base/narrow.h"

#include <catch2/catch.hpp>
#include <random>

namespace tfprof::narrow_test {
namespace {

constexpr uint32_t kNone = NarrowColumn::kNone;

// Stretches of equal numbers, with long ones among them.
std::vector<uint32_t> RandomRows(std::mt19937& random, size_t count) {
  const uint32_t kinds = uint32_t{1} << random() % 18;
  std::vector<uint32_t> rows;
  while (rows.size() < count) {
    const uint32_t value = random() % 4 == 0 ? kNone : random() % kinds;
    const size_t stretch = random() % 50 == 0 ? 3 * NarrowBlock::kRows : 1 + random() % 20;
    rows.insert(rows.end(), std::min(stretch, count - rows.size()), value);
  }
  return rows;
}

// Calls fill(rows) for the stretches of equal rows.
template <class Fill>
void EachStretch(const std::vector<uint32_t>& rows, Fill fill) {
  for (uint32_t at = 0; at < rows.size();) {
    const uint32_t first = at;
    while (at < rows.size() && rows[at] == rows[first]) ++at;
    fill({first, at - first});
  }
}

size_t BytesOf(uint32_t max, uint32_t step) {
  NarrowColumn column(NarrowBlock::kRows);
  NarrowWriter writer(&column);
  for (uint32_t i = 0; i < NarrowBlock::kRows; ++i) writer.Fill({i, 1}, i % 2 * step + max - step);
  writer.Finish();
  CHECK(column[4] == max - step);
  CHECK(column[5] == max);
  return column.bytes() - sizeof(NarrowBlock);
}

}  // namespace

TEST_CASE("a column of numbers takes as many bytes as adjacent values differ") {
  constexpr size_t kRows = NarrowBlock::kRows, kPadding = 8;
  CHECK(BytesOf(1'000'000, 0) == 0);
  CHECK(BytesOf(1'000'000, 255) == kRows + kPadding);
  CHECK(BytesOf(1'000'000, 256) == 2 * kRows + kPadding);
  CHECK(BytesOf(1'000'000, 70'000) == 4 * kRows + kPadding);
  CHECK(BytesOf(kNone - 1, kNone - 1) == 4 * kRows + kPadding);
}

TEST_CASE("an absent value takes no more bytes than the differences of small numbers") {
  NarrowColumn column(NarrowBlock::kRows);
  NarrowWriter writer(&column);
  for (uint32_t i = 0; i < NarrowBlock::kRows; i += 2) writer.Fill({i, 1}, i % 255);
  writer.Finish();
  CHECK(column[1] == kNone);
  CHECK(column[254] == 254);
  CHECK(column.bytes() - sizeof(NarrowBlock) == NarrowBlock::kRows + 8);
}

TEST_CASE("written values are read back, in any order of writing") {
  std::mt19937 random(1);
  for (const size_t count : {size_t{0}, size_t{1}, size_t{8191}, size_t{8192}, size_t{8193},
                             size_t{30'000}, size_t{70'000}}) {
    const std::vector<uint32_t> rows = RandomRows(random, count);
    NarrowColumn column(count);
    std::vector<Range> stretches;
    EachStretch(rows, [&](Range stretch) { stretches.push_back(stretch); });
    if (count < 40'000) std::shuffle(stretches.begin(), stretches.end(), random);
    NarrowWriter writer(&column);
    // Twice: what was there is written over.
    for (const Range& stretch : stretches) writer.Fill(stretch, stretch.first);
    for (const Range& stretch : stretches) writer.Fill(stretch, rows[stretch.first]);
    writer.Finish();
    REQUIRE(column.size() == count);
    bool all_equal = true;
    for (size_t i = 0; i < count; ++i) all_equal = all_equal && column[i] == rows[i];
    CHECK(all_equal);
  }
}

TEST_CASE("runs of a column cover the selected rows, each with one number") {
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    const std::vector<uint32_t> rows = RandomRows(random, 1 + random() % 40'000);
    NarrowColumn column(rows.size());
    NarrowWriter writer(&column);
    EachStretch(rows, [&](Range stretch) { writer.Fill(stretch, rows[stretch.first]); });
    writer.Finish();
    const auto first = static_cast<uint32_t>(random() % rows.size());
    const auto count = static_cast<uint32_t>(random() % (rows.size() - first + 1));
    uint32_t at = first;
    column.EachRun({first, count}, [&](uint32_t begin, uint32_t end, uint32_t value) {
      REQUIRE(begin == at);
      REQUIRE(end > begin);
      at = end;
      const bool all_equal = std::all_of(rows.begin() + begin, rows.begin() + end,
                                         [&](uint32_t number) { return number == value; });
      REQUIRE(all_equal);
    });
    REQUIRE(at == first + count);
  }
}

}  // namespace tfprof::narrow_test
