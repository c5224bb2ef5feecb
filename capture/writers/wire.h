// SPDX-License-Identifier: Apache-2.0
// Appends fields of protobuf messages to a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tfprof::capture::wire {

inline void Varint(uint64_t value, std::string* to) {
  while (value >= 0x80) {
    to->push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  to->push_back(static_cast<char>(value));
}

inline uint32_t VarintBytes(uint64_t value) {
  uint32_t bytes = 1;
  while (value >= 0x80) {
    value >>= 7;
    ++bytes;
  }
  return bytes;
}

// The entry of a map.
enum class MapEntry : uint32_t { key = 1, value = 2 };

enum class Type : uint32_t { varint = 0, fixed64 = 1, bytes = 2 };

template <class Field>
void Tag(Field field, Type type, std::string* to) {
  Varint(static_cast<uint64_t>(field) << 3 | static_cast<uint64_t>(type), to);
}

template <class Field>
void Number(Field field, uint64_t value, std::string* to) {
  Tag(field, Type::varint, to);
  Varint(value, to);
}

template <class Field>
void Bytes(Field field, std::string_view bytes, std::string* to) {
  Tag(field, Type::bytes, to);
  Varint(bytes.size(), to);
  to->append(bytes);
}

}  // namespace tfprof::capture::wire
