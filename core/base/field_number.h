// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>

namespace tfprof {

// The field number of a protobuf message, for readers and writers of the wire format: an enumerator
// that proto/fields.py generates from a schema. A plain number does not convert.
struct FieldNumber {
  uint32_t value;

  template <class Field>
  requires std::is_enum_v<Field>
  constexpr FieldNumber(Field field) : value(static_cast<uint32_t>(field)) {}
  explicit constexpr FieldNumber(uint32_t number) : value(number) {}
};

// The fields of a map entry.
enum class MapEntryField : uint32_t { key = 1, value = 2 };

}  // namespace tfprof
