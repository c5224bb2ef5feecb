// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "loaders/wire/wire.h"
#include "proto/xplane_fields.h"

namespace tfprof::xspace {

inline constexpr char kIdTag = wire::TagByte(field::XEvent::metadata_id, wire::kVarint);
inline constexpr char kOffsetTag = wire::TagByte(field::XEvent::offset_ps, wire::kVarint);
inline constexpr char kDurationTag = wire::TagByte(field::XEvent::duration_ps, wire::kVarint);
inline constexpr char kStatsTag = wire::TagByte(field::XEvent::stats, wire::kBytes);

// An XEvent without its stats.
struct Event {
  int64_t metadata_id = 0;
  int64_t offset_ps = 0;
  int64_t duration_ps = 0;
  int64_t occurrences = 0;
  bool is_aggregate = false;  // occurrences is valid, offset_ps is not
  bool has_unknown =
      false;         // fields that the schema lacks; reported where stats are not the only rest
  bool bad = false;  // invalid wire format
};

// Reads fields in any order; of several values of one field the last one counts.
inline Event ReadAnyEvent(std::string_view message) {
  Event event;
  wire::Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case wire::Tag(field::XEvent::metadata_id, wire::kVarint):
        event.metadata_id = fields.Int64();
        break;
      case wire::Tag(field::XEvent::offset_ps, wire::kVarint):
        event.offset_ps = fields.Int64();
        event.is_aggregate = false;
        break;
      case wire::Tag(field::XEvent::duration_ps, wire::kVarint):
        event.duration_ps = fields.Int64();
        break;
      case wire::Tag(field::XEvent::num_occurrences, wire::kVarint):
        event.occurrences = fields.Int64();
        event.is_aggregate = true;
        break;
      default:
        event.has_unknown |= fields.tag() != wire::Tag(field::XEvent::stats, wire::kBytes);
        fields.Skip();
    }
  }
  event.bad = fields.bad() != nullptr;
  return event;
}

// As ReadAnyEvent, but if an event begins with id, offset and duration in this order, as all
// writers have it, the rest is skipped: its stats, the larger part, are not touched. REQUIRES:
// kEventPadding readable bytes follow the message: its end is checked once, after these fields.
constexpr size_t kEventPadding = 48;
TFPROF_INLINE Event ReadEvent(std::string_view message) {
  const char* at = message.data();
  const char* const end = at + message.size();
  uint64_t id = 0, offset = 0, duration = 0;
  if (*at != kIdTag) [[unlikely]]
    return ReadAnyEvent(message);
  at = wire::ReadVarint(at + 1, &id);
  if (at == nullptr || *at != kOffsetTag) [[unlikely]]
    return ReadAnyEvent(message);
  at = wire::ReadVarint(at + 1, &offset);
  if (at == nullptr) [[unlikely]]
    return ReadAnyEvent(message);
  if (*at == kDurationTag) [[likely]] {
    at = wire::ReadVarint(at + 1, &duration);
    if (at == nullptr || at > end || (at < end && *at != kStatsTag)) [[unlikely]]
      return ReadAnyEvent(message);
  } else if (at != end) {
    return ReadAnyEvent(message);
  }
  Event event;
  event.metadata_id = static_cast<int64_t>(id);
  event.offset_ps = static_cast<int64_t>(offset);
  event.duration_ps = static_cast<int64_t>(duration);
  return event;
}

}  // namespace tfprof::xspace
