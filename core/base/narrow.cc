// SPDX-License-Identifier: Apache-2.0
#include "core/base/narrow.h"

#include <algorithm>

namespace tfprof {
namespace {

constexpr char kZeros[8] = {};

uint32_t BytesFor(uint64_t span) {
  if (span == 0) return 0;
  if (span <= 0xFF) return 1;
  if (span <= 0xFFFF) return 2;
  return span <= 0xFFFFFFFF ? 4 : 8;
}

template <class Width, class Value>
void NarrowTo(std::span<const Value> rows, uint64_t base, char* to) {
  for (const Value value : rows) {
    const auto narrow = static_cast<Width>(value - base);
    std::memcpy(to, &narrow, sizeof narrow);
    to += sizeof narrow;
  }
}

template <class Value>
void Narrow(std::span<const Value> rows, uint64_t base, uint32_t bytes, char* to) {
  switch (bytes) {
    case 1: return NarrowTo<uint8_t>(rows, base, to);
    case 2: return NarrowTo<uint16_t>(rows, base, to);
    case 4: return NarrowTo<uint32_t>(rows, base, to);
    default: return NarrowTo<uint64_t>(rows, base, to);
  }
}

}  // namespace

NarrowBlock::NarrowBlock(uint64_t all) : rows_{kZeros, all} {}

NarrowBlock::NarrowBlock(std::span<const uint8_t> rows) { TakeAll(rows); }
NarrowBlock::NarrowBlock(std::span<const uint32_t> rows) { TakeAll(rows); }
NarrowBlock::NarrowBlock(std::span<const uint64_t> rows, uint64_t min, uint64_t max) {
  Take(rows, min, max);
}

template <class Value>
void NarrowBlock::TakeAll(std::span<const Value> rows) {
  Value min = rows[0], max = rows[0];
  for (const Value value : rows) {
    min = std::min(min, value);
    max = std::max(max, value);
  }
  Take(rows, min, max);
}

template <class Value>
void NarrowBlock::Take(std::span<const Value> rows, uint64_t min, uint64_t max) {
  rows_ = {kZeros, min, 0, BytesFor(max - min)};
  if (AllEqual()) return;
  rows_.mask = rows_.bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << rows_.bytes * 8) - 1;
  const size_t of_rows = rows.size() * rows_.bytes;
  memory_bytes_ = static_cast<uint32_t>(of_rows + sizeof kZeros);
  memory_.reset(new char[memory_bytes_]);
  Narrow(rows, min, rows_.bytes, memory_.get());
  std::memcpy(memory_.get() + of_rows, kZeros, sizeof kZeros);
  rows_.values = memory_.get();
}

NarrowColumn::NarrowColumn(size_t rows) : blocks_((rows + kRows - 1) / kRows), rows_(rows) {}

size_t NarrowColumn::bytes() const {
  size_t sum = 0;
  for (const NarrowBlock& block : blocks_) sum += block.bytes();
  return sum;
}

void NarrowWriter::Fill(Range rows, uint32_t value) {
  constexpr uint32_t kRows = NarrowBlock::kRows;
  const uint32_t end = rows.first + rows.count;
  for (uint32_t at = rows.first; at < end;) {
    const uint32_t first = at % kRows, count = std::min(kRows - first, end - at);
    if (count == kRows) {
      if (block_ == at / kRows) block_ = ~size_t{0};
      column_->blocks_[at / kRows] = NarrowBlock(value + 1u);
    } else {
      Enter(at / kRows);
      std::fill_n(open_.begin() + first, count, value + 1);
    }
    at += count;
  }
}

void NarrowWriter::Enter(size_t block) {
  if (block == block_) return;
  Finish();
  block_ = block;
  open_.resize(std::min<size_t>(NarrowBlock::kRows, column_->rows_ - block * NarrowBlock::kRows));
  const NarrowBlock& of = column_->blocks_[block];
  if (of.AllEqual()) return std::fill(open_.begin(), open_.end(), static_cast<uint32_t>(of[0]));
  for (uint32_t i = 0; i < open_.size(); ++i) open_[i] = static_cast<uint32_t>(of[i]);
}

void NarrowWriter::Finish() {
  if (block_ == ~size_t{0}) return;
  column_->blocks_[block_] = NarrowBlock(std::span<const uint32_t>(open_));
  block_ = ~size_t{0};
}

}  // namespace tfprof
