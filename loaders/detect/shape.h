// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "core/base/field_number.h"

namespace tfprof {

// Describes the expected fields of a message, for format detection. Nearly every message parses as
// nearly every other type, but then its fields have odd numbers and unreadable texts.
struct MessageShape;

// A score up to this one shows only that the bytes parse.
constexpr int kWeakScore = 40;

struct FieldShape {
  enum Kind : uint8_t {
    number,   // varint
    numbers,  // varints, packed or not
    text,     // readable: no control characters
    bytes,    // anything length-delimited
    message,
  };
  FieldNumber field;
  Kind kind = bytes;
  const MessageShape* shape = nullptr;  // of a message
  bool conclusive = false;              // a valid one makes the format nearly certain
  bool expected = false;                // a message without the field is odd
};

struct MessageShape {
  std::initializer_list<FieldShape> fields;
};

// Returns 0 for invalid wire format; 1 for an empty message; up to kWeakScore when the bytes only
// parse; up to 100 when telling fields are present, reduced by the share of misfits. Examines a
// bounded part: the first fields of each message. A truncated end is not a misfit.
int ScoreShape(std::string_view bytes, const MessageShape& shape);

}  // namespace tfprof
