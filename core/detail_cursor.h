// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/arith.h"
#include "core/details.h"

namespace tfprof {

// A column for a loop that asks row after row: what holds for a block is looked up once for it. A
// column without rows has all of them, absent. The answers are those of the column.
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
