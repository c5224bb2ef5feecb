// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/field_number.h"

namespace tfprof {

// What a message of a format looks like, for telling formats apart: nearly every message also
// parses as nearly every other one, but its fields then have odd numbers and unreadable texts.
struct MessageShape;

// Scores up to this say only that the bytes parse.
constexpr int kWeakScore = 40;

struct FieldShape {
  enum Kind : uint8_t {
    number,   // varint
    numbers,  // varints, packed or not
    text,     // readable: without control characters
    bytes,    // anything length-delimited
    message,
  };
  FieldNumber field;
  Kind kind = bytes;
  const MessageShape* shape = nullptr;  // of a message
  bool telling = false;                 // seen as it should be, the format is nearly sure
  bool expected = false;                // a message without it is odd
};

struct MessageShape {
  std::span<const FieldShape> fields;
};

// 0: no wire format of a message; 1: an empty one; to kWeakScore: nothing speaks for the format but
// that it parses; to 100: telling fields were seen, less the more fields did not fit. Looks at a
// bounded part: the first fields of each message. What is cut off at the end is no fault.
int ScoreShape(std::string_view bytes, const MessageShape& shape);

}  // namespace tfprof
