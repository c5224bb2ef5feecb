// SPDX-License-Identifier: Apache-2.0
#include "loaders/wire/unknown.h"

#include <algorithm>
#include <string>

#include "core/store/note_catalogue.h"

namespace tfprof {

UnknownFields::OfMessage* UnknownFields::Of(std::string_view message, const char* first) {
  for (OfMessage& of : messages_) {
    if (of.message == message) return &of;
  }
  return &messages_.emplace_back(OfMessage{message, first});
}

void UnknownFields::Add(std::string_view message, const char* begin, const char* end) {
  OfMessage* of = Of(message, begin);
  of->first = std::min(of->first, begin);
  ++of->count;
  of->bytes += end - begin;
}

void UnknownFields::Add(const UnknownFields& others) {
  for (const OfMessage& other : others.messages_) {
    OfMessage* of = Of(other.message, other.first);
    of->first = std::min(of->first, other.first);
    of->count += other.count;
    of->bytes += other.bytes;
  }
}

void UnknownFields::AddNoteTo(const SourceFile& file, StoreBuilder& store) const {
  for (const OfMessage& of : messages_) {
    store.AddNote(note::With(note::unknown_fields, {of.message, std::to_string(of.bytes)}),
                  file.At(of.first), kNoInt, of.count);
  }
}

}  // namespace tfprof
