// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/field_number.h"

// Answers that are read while they arrive, in pieces of any size, and may be longer than memory.

namespace tfprof::remote {

// The fields of the messages of a gRPC answer. Several messages count as one, as protobuf joins
// them.
class FieldStream {
 public:
  // What to do with a part of a field of bytes. False: the answer is not wanted any more.
  std::function<bool(FieldNumber field, std::string_view part)> bytes;
  std::function<void(FieldNumber field, uint64_t value)> number;

  // Takes the next piece. False: `bytes` said so, or the answer is malformed.
  bool Take(std::string_view piece);

  bool malformed() const { return malformed_; }
  // True between messages: the answer may end here.
  bool complete() const {
    return !malformed_ && message_left_ == 0 && state_ == State::frame && head_.empty();
  }

 private:
  enum class State : uint8_t { frame, tag, varint, length, bytes, fixed };
  bool TakeFrame(std::string_view* piece);
  bool TakeVarint(std::string_view* piece, uint64_t* value, bool* done);
  bool TakeNumber(std::string_view* piece);
  bool TakeBytes(std::string_view* piece);
  bool BeginField(uint64_t tag);
  bool Malformed();
  void EndField();

  State state_ = State::frame;
  std::string head_;           // of a frame, in part
  uint64_t message_left_ = 0;  // bytes of the message
  uint64_t value_ = 0;         // a varint, in part
  int shift_ = 0;
  FieldNumber field_{0};
  uint64_t field_left_ = 0;  // bytes of the field
  bool malformed_ = false;
};

}  // namespace tfprof::remote
