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

// The numbers of some rows: `base` plus a value of `bytes` bytes per row; 0 bytes if all are equal.
struct NarrowRows {
  const char* values = nullptr;
  uint64_t base = 0;
  uint64_t mask = 0;
  uint32_t bytes = 0;  // per row

  uint64_t operator[](uint32_t row) const {
    uint64_t word = 0;  // may read past the last value
    std::memcpy(&word, values + size_t{row} * bytes, sizeof word);
    return base + (word & mask);
  }
  // The first row after `row` with another number; `end` if there is none before it.
  uint32_t EqualUntil(uint32_t row, uint32_t end) const {
    switch (bytes) {
      case 0: return end;
      case 1: return EqualAs<uint8_t>(row, end);
      case 2: return EqualAs<uint16_t>(row, end);
      case 4: return EqualAs<uint32_t>(row, end);
      default: return EqualAs<uint64_t>(row, end);
    }
  }

 private:
  // EqualUntil for one width: compares eight bytes of rows at once.
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

// The numbers of kRows rows, or of fewer in the last block, in the min number of bytes.
class NarrowBlock {
 public:
  static constexpr uint32_t kRows = 8192;

  NarrowBlock() : NarrowBlock(0) {}
  explicit NarrowBlock(uint64_t all);  // all rows have this number
  explicit NarrowBlock(std::span<const uint8_t> rows);
  explicit NarrowBlock(std::span<const uint32_t> rows);
  // `min`, `max`: the bounds of the used rows; the values of other rows are unspecified.
  NarrowBlock(std::span<const uint64_t> rows, uint64_t min, uint64_t max);

  uint64_t operator[](uint32_t row) const { return rows_[row]; }
  const NarrowRows& rows() const { return rows_; }
  bool AllEqual() const { return rows_.bytes == 0; }
  size_t bytes() const { return memory_bytes_ + sizeof *this; }

 private:
  template <class Value>
  void Take(std::span<const Value> rows, uint64_t min, uint64_t max);
  template <class Value>
  void TakeAll(std::span<const Value> rows);

  NarrowRows rows_;
  std::unique_ptr<char[]> memory_;  // null: all rows are equal
  uint32_t memory_bytes_ = 0;
};

// A 32-bit number per row, stored in one or two bytes where neighbors are close. kNone is as close
// to 0 as 1 is.
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
  // Calls run(first, end, value) for each run of rows with equal values, in order. Together the
  // runs cover `rows`.
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

  std::vector<NarrowBlock> blocks_;  // each value plus one: kNone is 0
  size_t rows_ = 0;
};

// Writes rows of a column, preferably in order: a block is unpacked on entry and packed when the
// writer leaves it.
class NarrowWriter {
 public:
  explicit NarrowWriter(NarrowColumn* column) : column_(column) {}

  void Fill(Range rows, uint32_t value);
  void Finish();  // makes the column readable; without it, writes may be lost

 private:
  void Enter(size_t block);

  NarrowColumn* column_;
  size_t block_ = ~size_t{0};   // none
  std::vector<uint32_t> open_;  // its rows
};

}  // namespace tfprof
