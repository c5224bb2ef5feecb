// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/field_number.h"

namespace tfprof {

// Appends protobuf wire format to a string: for messages too long to be held as objects. As in
// proto3, a number of 0 is left out, but for ToldInt. It shares no code with the readers.
class WireWriter {
 public:
  explicit WireWriter(std::string* out) : out_(out) {}

  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_->push_back(static_cast<char>(value | 0x80));
    out_->push_back(static_cast<char>(value));
  }
  void Int(FieldNumber field, int64_t value) {
    if (value != 0) ToldInt(field, value);
  }
  // Also a 0, where that it is told tells something.
  void ToldInt(FieldNumber field, int64_t value) {
    Tag(field, kVarint);
    Varint(static_cast<uint64_t>(value));
  }
  void Bytes(FieldNumber field, std::string_view text) {
    Tag(field, kLengthDelimited);
    Varint(text.size());
    out_->append(text);
  }
  // The start of a nested message of a size that is known already.
  void BeginMessage(FieldNumber field, uint64_t bytes) {
    Tag(field, kLengthDelimited);
    Varint(bytes);
  }
  // A nested message: what `fill` writes.
  template <class Fill>
  void Message(FieldNumber field, Fill fill) {
    Tag(field, kLengthDelimited);
    const size_t start = out_->size();
    fill();
    InsertLength(start);
  }

 private:
  static constexpr uint32_t kVarint = 0;
  static constexpr uint32_t kLengthDelimited = 2;

  void Tag(FieldNumber field, uint32_t wire_type) { Varint(field.value << 3 | wire_type); }

  // Moves the message once instead of measuring it beforehand.
  void InsertLength(size_t start) {
    std::string length;
    WireWriter(&length).Varint(out_->size() - start);
    out_->insert(start, length);
  }

  std::string* out_;
};

}  // namespace tfprof
