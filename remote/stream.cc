// SPDX-License-Identifier: Apache-2.0
#include "remote/stream.h"

#include <algorithm>
#include <cstddef>

#include "loaders/wire/wire.h"

namespace tfprof::remote {
namespace {

constexpr size_t kFrameBytes =
    5;  // gRPC: compressed or not, and the length, most significant byte first
constexpr int kVarintBits = 64;
using wire::kBytes, wire::kFixed32, wire::kFixed64, wire::kVarint;

}  // namespace

bool FieldStream::Malformed() {
  malformed_ = true;
  return false;
}

void FieldStream::EndField() { state_ = message_left_ == 0 ? State::frame : State::tag; }

bool FieldStream::TakeFrame(std::string_view* piece) {
  const size_t bytes = std::min(kFrameBytes - head_.size(), piece->size());
  head_.append(piece->substr(0, bytes));
  piece->remove_prefix(bytes);
  if (head_.size() < kFrameBytes) return true;
  if (head_[0] != 0) return Malformed();  // compressed, which we said we do not read
  for (size_t i = 1; i < kFrameBytes; ++i)
    message_left_ = message_left_ << 8 | static_cast<uint8_t>(head_[i]);
  head_.clear();
  EndField();
  return true;
}

bool FieldStream::TakeVarint(std::string_view* piece, uint64_t* value, bool* done) {
  *done = false;
  while (!piece->empty() && !*done) {
    if (message_left_ == 0 || shift_ >= kVarintBits) return Malformed();
    const auto byte = static_cast<uint8_t>(piece->front());
    piece->remove_prefix(1);
    --message_left_;
    value_ |= static_cast<uint64_t>(byte & 0x7F) << shift_;
    shift_ += 7;
    *done = byte < 0x80;
  }
  if (!*done) return message_left_ > 0 || Malformed();
  *value = value_;
  value_ = 0;
  shift_ = 0;
  return true;
}

bool FieldStream::BeginField(uint64_t tag) {
  field_ = FieldNumber(static_cast<uint32_t>(tag >> 3));
  if (field_.value == 0) return Malformed();
  switch (tag & 7) {
    case kVarint: state_ = State::varint; return message_left_ > 0 || Malformed();
    case kBytes: state_ = State::length; return message_left_ > 0 || Malformed();
    case kFixed64: field_left_ = 8; break;
    case kFixed32: field_left_ = 4; break;
    default: return Malformed();
  }
  state_ = State::fixed;
  return field_left_ <= message_left_ || Malformed();
}

bool FieldStream::TakeNumber(std::string_view* piece) {
  uint64_t value = 0;
  bool done = false;
  if (!TakeVarint(piece, &value, &done)) return false;
  if (!done) return true;
  if (state_ == State::tag) return BeginField(value);
  if (state_ == State::varint) {
    if (number) number(field_, value);
    EndField();
    return true;
  }
  field_left_ = value;
  if (field_left_ > message_left_) return Malformed();
  state_ = State::bytes;
  if (field_left_ == 0) EndField();
  return true;
}

bool FieldStream::TakeBytes(std::string_view* piece) {
  const size_t size = static_cast<size_t>(std::min<uint64_t>(field_left_, piece->size()));
  const std::string_view part = piece->substr(0, size);
  piece->remove_prefix(size);
  field_left_ -= size;
  message_left_ -= size;
  const bool wanted = state_ == State::fixed || !bytes || bytes(field_, part);
  if (field_left_ == 0) EndField();
  return wanted;
}

bool FieldStream::Take(std::string_view piece) {
  while (!piece.empty() && !malformed_) {
    bool wanted = false;
    switch (state_) {
      case State::frame: wanted = TakeFrame(&piece); break;
      case State::bytes:
      case State::fixed: wanted = TakeBytes(&piece); break;
      default: wanted = TakeNumber(&piece);
    }
    if (!wanted) return false;
  }
  return !malformed_;
}

}  // namespace tfprof::remote
