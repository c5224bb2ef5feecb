// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/base/ids.h"

namespace tfprof {

// Numbers of some rows: `base` and so many bytes more for each, 0 where all are the same.
struct NarrowRows {
  const char* values = nullptr;
  uint64_t base = 0;
  uint64_t mask = 0;
  uint32_t bytes = 0;  // of a row

  uint64_t operator[](uint32_t row) const {
    uint64_t word = 0;  // what lies behind the last value may be read
    std::memcpy(&word, values + size_t{row} * bytes, sizeof word);
    return base + (word & mask);
  }
  // The first row behind `row` of another number; `end` if there is none before it.
  uint32_t EqualUntil(uint32_t row, uint32_t end) const {
    switch (bytes) {
      case 0:
        return end;
      case 1:
        return EqualAs<uint8_t>(row, end);
      case 2:
        return EqualAs<uint16_t>(row, end);
      case 4:
        return EqualAs<uint32_t>(row, end);
      default:
        return EqualAs<uint64_t>(row, end);
    }
  }

 private:
  // Looks at as many rows at once as eight bytes hold; see above.
  template <class Width>
  uint32_t EqualAs(uint32_t row, uint32_t end) const {
    constexpr uint32_t kRows = 8 / sizeof(Width);
    constexpr uint64_t kEach = ~uint64_t{0} / std::numeric_limits<Width>::max();
    const char* at = values + size_t{row} * sizeof(Width);
    Width first = 0;
    std::memcpy(&first, at, sizeof first);
    const uint64_t all = first * kEach;
    for (; row < end; row += kRows, at += 8) {
      uint64_t word = 0;
      std::memcpy(&word, at, sizeof word);
      if (word == all) continue;
      const auto bits = static_cast<uint32_t>(std::countr_zero(word ^ all));
      return std::min(row + bits / (8 * uint32_t{sizeof(Width)}), end);
    }
    return end;
  }
};

// The numbers of kRows rows, or of the last that there are, as narrow as they differ.
class NarrowBlock {
 public:
  static constexpr uint32_t kRows = 8192;

  NarrowBlock() : NarrowBlock(0) {}
  explicit NarrowBlock(uint64_t all);  // any row
  explicit NarrowBlock(std::span<const uint8_t> rows);
  explicit NarrowBlock(std::span<const uint32_t> rows);
  // `least`, `most`: of the rows that count; what becomes of others is left open.
  NarrowBlock(std::span<const uint64_t> rows, uint64_t least, uint64_t most);

  uint64_t operator[](uint32_t row) const { return rows_[row]; }
  const NarrowRows& rows() const { return rows_; }
  bool AllEqual() const { return rows_.bytes == 0; }
  size_t bytes() const { return memory_bytes_ + sizeof *this; }

 private:
  template <class Value>
  void Take(std::span<const Value> rows, uint64_t least, uint64_t most);
  template <class Value>
  void TakeAll(std::span<const Value> rows);

  NarrowRows rows_;
  std::unique_ptr<char[]> memory_;  // null: all rows are equal
  uint32_t memory_bytes_ = 0;
};

// A number of 32 bits for each of many rows, a byte or two where neighbours are near each other.
// kNone is as near to 0 as 1 is.
class NarrowColumn {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  NarrowColumn() = default;
  explicit NarrowColumn(size_t rows);  // all of them kNone

  size_t size() const { return rows_; }
  bool empty() const { return rows_ == 0; }
  uint32_t operator[](size_t row) const {
    const uint64_t next = blocks_[row / kRows][static_cast<uint32_t>(row % kRows)];
    return static_cast<uint32_t>(next) - 1;
  }
  // Calls run(first, end, value) for stretches of rows of one value, in order and together all of
  // `rows`.
  template <class Run>
  void EachRun(Range rows, Run run) const {
    const uint32_t end = rows.first + rows.count;
    for (uint32_t at = rows.first; at < end;) {
      const NarrowBlock& block = blocks_[at / kRows];
      const uint32_t first = at % kRows, rest = std::min(kRows - first, end - at);
      const uint64_t value = block[first];
      const uint32_t count = block.rows().EqualUntil(first, first + rest) - first;
      run(at, at + count, static_cast<uint32_t>(value) - 1);
      at += count;
    }
  }
  size_t bytes() const;

 private:
  friend class NarrowWriter;
  static constexpr uint32_t kRows = NarrowBlock::kRows;

  std::vector<NarrowBlock> blocks_;  // of each value the next one: kNone is 0
  size_t rows_ = 0;
};

// Writes rows of a column, best in order: a block is taken apart when it is come to, and put
// together when it is left.
class NarrowWriter {
 public:
  explicit NarrowWriter(NarrowColumn* column) : column_(column) {}

  void Fill(Range rows, uint32_t value);
  void Finish();  // the column can be read; what is not finished may be lost

 private:
  void Enter(size_t block);

  NarrowColumn* column_;
  size_t block_ = ~size_t{0};   // none
  std::vector<uint32_t> open_;  // its rows
};

}  // namespace tfprof
