// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/arith.h"
#include "core/store/details.h"

namespace tfprof {

// A run of rows of a column, for loops that keep its invariants in registers: the compiler would
// reload the fields of a cursor after each write that may alias it.
struct DetailStretch {
  uint32_t first = 0;  // event of row 0
  uint32_t end = 0;    // one past the last event
  NarrowRows kinds;
  NarrowRows bits;

  ValueKind Kind(uint32_t event) const { return static_cast<ValueKind>(kinds[event - first]); }
  uint64_t Bits(uint32_t event) const { return bits[event - first]; }
  bool IsWhole(uint32_t event) const {
    const ValueKind kind = Kind(event);
    return kind == ValueKind::integer || kind == ValueKind::natural;
  }
  bool Has(uint32_t event) const { return Kind(event) != ValueKind::absent; }
  bool IsText(uint32_t event) const {
    const ValueKind kind = Kind(event);
    return kind == ValueKind::text || kind == ValueKind::bytes;
  }
  // False: the rows have to be checked one by one.
  bool AllHave() const { return kinds.bytes == 0 && Has(first); }
  bool AllWhole() const { return kinds.bytes == 0 && IsWhole(first); }
  bool AllTexts() const { return kinds.bytes == 0 && IsText(first); }
};

// Reads a column row by row: it looks up the data of a block once per block. For a column without
// rows, all values are absent. The results equal those of the column.
class DetailCursor {
 public:
  explicit DetailCursor(const DetailColumn& column) : column_(&column) {}

  bool Has(uint32_t event) { return Kind(event) != ValueKind::absent; }
  ValueKind Kind(uint32_t event) {
    Seek(event);
    return static_cast<ValueKind>(kinds_[event - first_]);
  }
  uint64_t Bits(uint32_t event) {
    Seek(event);
    return bits_[event - first_];
  }
  // The rows from `event` on, at most up to `end`.
  DetailStretch Stretch(uint32_t event, uint32_t end) {
    Seek(event);
    return {first_, rows_ < end - first_ ? first_ + rows_ : end, kinds_, bits_};
  }
  int64_t Integer(uint32_t event) {
    const ValueKind of = Kind(event);
    const bool is_whole = of == ValueKind::integer || of == ValueKind::natural;
    if (is_whole) return static_cast<int64_t>(Bits(event));
    return of == ValueKind::real ? column_->Integer(event) : kNoInt;
  }
  NameId TextId(uint32_t event) {
    const ValueKind of = Kind(event);
    const bool is_text = of == ValueKind::text || of == ValueKind::bytes;
    return is_text ? column_->text_of[Bits(event)] : NameId();
  }

 private:
  void Seek(uint32_t event) {
    if (event - first_ >= rows_) [[unlikely]]
      Load(event);
  }
  void Load(uint32_t event);

  const DetailColumn* column_;
  uint32_t first_ = 0;  // event of the block
  uint32_t rows_ = 0;   // of the block
  NarrowRows kinds_;
  NarrowRows bits_;
};

}  // namespace tfprof
