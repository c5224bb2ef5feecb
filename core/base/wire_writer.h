// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/field_number.h"

namespace tfprof {

// Appends protobuf wire format to a string, for messages too large to be held as objects. As in
// proto3, a number of 0 is omitted, except by IntIfPresent. It shares no code with the readers.
class WireWriter {
 public:
  explicit WireWriter(std::string* out) : out_(out) {}

  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_->push_back(static_cast<char>(value | 0x80));
    out_->push_back(static_cast<char>(value));
  }
  void Int(FieldNumber field, int64_t value) {
    if (value != 0) IntIfPresent(field, value);
  }
  // Writes a 0, too, for fields whose presence has a meaning.
  void IntIfPresent(FieldNumber field, int64_t value) {
    Tag(field, kVarint);
    Varint(static_cast<uint64_t>(value));
  }
  void Bytes(FieldNumber field, std::string_view text) {
    Tag(field, kLengthDelimited);
    Varint(text.size());
    out_->append(text);
  }
  // Starts a nested message whose size is known.
  void BeginMessage(FieldNumber field, uint64_t bytes) {
    Tag(field, kLengthDelimited);
    Varint(bytes);
  }
  // Writes a nested message with the contents that `fill` appends.
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

  // Moves the message once instead of measuring it first.
  void InsertLength(size_t start) {
    std::string length;
    WireWriter(&length).Varint(out_->size() - start);
    out_->insert(start, length);
  }

  std::string* out_;
};

}  // namespace tfprof
