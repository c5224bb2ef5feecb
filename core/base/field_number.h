// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>

namespace tfprof {

// The number of a field of a protobuf message, as readers and writers of the wire format take it:
// an enumerator of what proto/fields.py makes of a schema. A plain number does not convert.
struct FieldNumber {
  uint32_t value;

  template <class Field>
  requires std::is_enum_v<Field>
  constexpr FieldNumber(Field field) : value(static_cast<uint32_t>(field)) {}
  explicit constexpr FieldNumber(uint32_t number) : value(number) {}
};

// The fields of an entry of any map.
enum class MapEntryField : uint32_t { key = 1, value = 2 };

}  // namespace tfprof
