// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/base/field_number.h"
#include "loaders/wire/varint.h"

// Protocol Buffers wire format, decoded in place: no copies, no allocation, no exceptions, no
// recursion. Invalid wire format stops the walk; bad() returns its position.
//
//   for (wire::Fields fields(message); fields.Next();) {
//     switch (fields.tag()) {
//       case wire::Tag(field::XPlane::name, wire::kBytes): name = fields.Bytes(); break;
//       case wire::Tag(field::XPlane::id, wire::kVarint): id = fields.Int64(); break;
//       default: fields.Skip();  // unknown, or known with another wire type
//     }
//   }
//   if (fields.bad() != nullptr) ...
//
// REQUIRES: at least 16 readable bytes follow the outermost message (whole words are loaded). Their
// values never matter: a field that exceeds its message is an error.
namespace tfprof::wire {

enum Type : uint32_t {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,  // text, bytes, messages, packed numbers
  kStartGroup = 3,
  kEndGroup = 4,
  kFixed32 = 5,
};

constexpr uint32_t Tag(FieldNumber field, Type type) { return field.value << 3 | type; }
// Returns the tag as the one byte in a message. REQUIRES: field < 16.
consteval char TagByte(FieldNumber field, Type type) {
  if (field.value >= 16) throw "a tag of two bytes";
  return static_cast<char>(Tag(field, type));
}

// Returns the byte after the value at `at` of a field that is neither varint nor bytes; null:
// malformed, or groups nest more than 100 deep.
inline const char* SkipRare(const char* at, const char* end, uint32_t tag);

// Prefetches `distance` bytes ahead, which need not exist. For walks that jump over long fields of
// a large file: the hardware does not detect that they go in one direction.
TFPROF_INLINE void PrefetchAhead(const char* at, ptrdiff_t distance) {
  const uintptr_t first = reinterpret_cast<uintptr_t>(at) + static_cast<uintptr_t>(distance);
  for (uintptr_t line = 0; line < 5; ++line) {
    __builtin_prefetch(reinterpret_cast<const char*>(first + line * 64));
  }
}

// A walk over the fields of one message.
class Fields {
 public:
  explicit Fields(std::string_view message)
      : at_(message.data()), end_(message.data() + message.size()) {}

  // Moves to the next field. Returns false at the end and after an error. The caller takes the
  // value with exactly one of the functions below.
  TFPROF_INLINE bool Next() {
    if (at_ >= end_) return false;
    field_at_ = at_;
    const auto first = static_cast<uint8_t>(*at_);
    if (first < 0x80) [[likely]] {
      tag_ = first;
      ++at_;
    } else {
      uint64_t tag = 0;
      const char* after = ReadVarint(at_, &tag);
      if (after == nullptr || after - at_ > 5 || after > end_) return Fail();
      tag_ = static_cast<uint32_t>(tag);
      at_ = after;
    }
    if (number() == 0) [[unlikely]]
      return Fail();
    return true;
  }

  // Returns Tag(number, type) of the field.
  uint32_t tag() const { return tag_; }
  uint32_t number() const { return tag_ >> 3; }
  uint32_t type() const { return tag_ & 7; }
  // Returns true for a field of this number and any type.
  bool Is(FieldNumber field) const { return number() == field.value; }
  // Returns the start of the field: its tag.
  const char* field_at() const { return field_at_; }
  // Returns the byte after the tag, or after the value once it is taken.
  const char* position() const { return at_; }
  // Returns the place where the wire format is invalid; null: no error.
  const char* bad() const { return bad_; }

  TFPROF_INLINE uint64_t Varint() {
    uint64_t value = 0;
    const char* after = ReadVarint(at_, &value);
    if (after == nullptr || after > end_) [[unlikely]]
      return Fail();
    at_ = after;
    return value;
  }
  TFPROF_INLINE int64_t Int64() { return static_cast<int64_t>(Varint()); }
  TFPROF_INLINE int32_t Int32() { return static_cast<int32_t>(Varint()); }
  TFPROF_INLINE bool Bool() { return Varint() != 0; }

  TFPROF_INLINE std::string_view Bytes() {
    uint64_t size = 0;
    const char* start = ReadVarint(at_, &size);
    if (start == nullptr || start > end_ || size > static_cast<uint64_t>(end_ - start))
        [[unlikely]] {
      Fail();
      return {};
    }
    at_ = start + size;
    return {start, static_cast<size_t>(size)};
  }

  // As Bytes, but if the field exceeds the message, returns the available part (and the walk has
  // failed). For truncated files.
  TFPROF_INLINE std::string_view BytesOrRest() {
    uint64_t size = 0;
    const char* start = ReadVarint(at_, &size);
    const char* end = end_;
    std::string_view bytes = Bytes();
    if (bad_ == nullptr || start == nullptr || start > end) return bytes;
    return {start, static_cast<size_t>(end - start)};
  }

  // Jumps over following fields `tag` (one byte, kBytes) of less than 128 bytes that begin before
  // `stop` and are not the last of the message. Returns their number.
  TFPROF_INLINE size_t SkipShort(uint32_t tag, const char* stop) {
    constexpr ptrdiff_t kLongest = 2 + 127;
    constexpr ptrdiff_t kAhead =
        1024;  // a field's position depends on the previous field, so prefetch early
    if (end_ - at_ < kLongest) return 0;
    const char* const last = std::min(stop, end_ - kLongest);
    const char* at = at_;
    size_t skipped = 0;
    for (uint16_t head = 0; at < last; ++skipped) {
      __builtin_prefetch(at + kAhead);
      std::memcpy(&head, at, sizeof head);
      if ((head & 0x80FF) != tag) break;
      at += 2 + (head >> 8);
    }
    at_ = at;
    return skipped;
  }

  TFPROF_INLINE uint64_t Fixed64() {
    if (end_ - at_ < 8) [[unlikely]]
      return Fail();
    const uint64_t value = Load64(at_);
    at_ += 8;
    return value;
  }
  TFPROF_INLINE uint32_t Fixed32() {
    if (end_ - at_ < 4) [[unlikely]]
      return Fail();
    const auto value = static_cast<uint32_t>(Load64(at_));
    at_ += 4;
    return value;
  }

  TFPROF_INLINE void Skip() {
    if (type() == kBytes) {
      Bytes();
    } else if (type() == kVarint) {
      Varint();
    } else {
      const char* after = SkipRare(at_, end_, tag_);
      if (after == nullptr) [[unlikely]] {
        Fail();
      } else {
        at_ = after;
      }
    }
  }

 private:
  // Returns false, which also converts to 0 and an empty value. Inline, and no function below takes
  // `this`: an object whose address escapes is not kept in registers.
  TFPROF_INLINE bool Fail() {
    bad_ = field_at_;
    at_ = end_;
    return false;
  }

  const char* at_;
  const char* end_;
  const char* field_at_ = nullptr;
  const char* bad_ = nullptr;
  uint32_t tag_ = 0;
};

// `at` is after the start tag of the group numbered `field`.
inline const char* SkipGroup(const char* at, const char* end, uint32_t field) {
  constexpr int kMaxDepth = 100;
  uint32_t open[kMaxDepth] = {field};
  int depth = 1;
  while (depth > 0) {
    Fields fields({at, static_cast<size_t>(end - at)});
    if (!fields.Next()) return nullptr;
    if (fields.type() == kStartGroup) {
      if (depth == kMaxDepth) return nullptr;
      open[depth++] = fields.number();
    } else if (fields.type() == kEndGroup) {
      if (open[--depth] != fields.number()) return nullptr;
    } else {
      fields.Skip();
      if (fields.bad() != nullptr) return nullptr;
    }
    at = fields.position();
  }
  return at;
}

inline const char* SkipRare(const char* at, const char* end, uint32_t tag) {
  switch (tag & 7) {
    case kFixed64: return end - at < 8 ? nullptr : at + 8;
    case kFixed32: return end - at < 4 ? nullptr : at + 4;
    case kStartGroup: return SkipGroup(at, end, tag >> 3);
    default: return nullptr;  // an end without a start, or an invalid type
  }
}

// Calls `take(uint64_t)` for each number of a packed field. Returns false if it is not a sequence
// of varints.
template <class Take>
TFPROF_INLINE bool EachPacked(std::string_view packed, Take&& take) {
  const char* at = packed.data();
  const char* const end = at + packed.size();
  while (at < end) {
    uint64_t value = 0;
    at = ReadVarint(at, &value);
    if (at == nullptr || at > end) return false;
    take(value);
  }
  return true;
}

// Calls `take(uint64_t)` for each number of the current field, a number or a packed list.
template <class Take>
void TakeNumbers(Fields& fields, Take& take) {
  if (fields.type() == kBytes) {
    EachPacked(fields.Bytes(), take);
  } else if (fields.type() == kVarint) {
    take(fields.Varint());
  } else {
    fields.Skip();
  }
}

}  // namespace tfprof::wire
