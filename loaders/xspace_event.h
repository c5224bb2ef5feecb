// SPDX-License-Identifier: Apache-2.0
#pragma once
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#include <cstdint>
#include <string_view>

#include "loaders/wire.h"

namespace tfprof::xspace {

inline constexpr char kIdTag = wire::Tag(1, wire::kVarint);
inline constexpr char kOffsetTag = wire::Tag(2, wire::kVarint);
inline constexpr char kDurationTag = wire::Tag(3, wire::kVarint);
inline constexpr char kStatsTag = wire::Tag(4, wire::kBytes);

// An XEvent without its stats.
struct Event {
  int64_t metadata_id = 0;
  int64_t offset_ps = 0;
  int64_t duration_ps = 0;
  int64_t occurrences = 0;
  bool is_aggregate = false;  // occurrences count, offset_ps does not
  bool bad = false;           // no wire format
};

// Any order of fields; of several values of one field the last one counts.
inline Event ReadAnyEvent(std::string_view message) {
  Event event;
  wire::Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case wire::Tag(1, wire::kVarint):
        event.metadata_id = fields.Int64();
        break;
      case wire::Tag(2, wire::kVarint):
        event.offset_ps = fields.Int64();
        event.is_aggregate = false;
        break;
      case wire::Tag(3, wire::kVarint):
        event.duration_ps = fields.Int64();
        break;
      case wire::Tag(5, wire::kVarint):
        event.occurrences = fields.Int64();
        event.is_aggregate = true;
        break;
      default:
        fields.Skip();
    }
  }
  event.bad = fields.bad() != nullptr;
  return event;
}

// The same, but an event that begins with id, offset and duration in this order, as all writers
// have it, is not looked at any further: its stats, the larger part, are not touched.
// REQUIRES: kEventPadding readable bytes behind the message: whether it ends before these fields do
// is asked once, behind them.
constexpr size_t kEventPadding = 48;
template <class Varint>
TFPROF_INLINE Event ReadInOrder(std::string_view message) {
  const char* at = message.data();
  const char* const end = at + message.size();
  uint64_t id = 0, offset = 0, duration = 0;
  if (*at != kIdTag) [[unlikely]]
    return ReadAnyEvent(message);
  at = Varint::Read(at + 1, &id);
  if (at == nullptr || *at != kOffsetTag) [[unlikely]]
    return ReadAnyEvent(message);
  at = Varint::Read(at + 1, &offset);
  if (at == nullptr) [[unlikely]]
    return ReadAnyEvent(message);
  if (*at == kDurationTag) [[likely]] {
    at = Varint::Read(at + 1, &duration);
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

TFPROF_INLINE Event ReadEvent(std::string_view message, wire::PlainVarint) {
  return ReadInOrder<wire::PlainVarint>(message);
}

#ifdef __x86_64__
// What the first 8 of the `size` bytes of a varint say.
TFPROF_INLINE int64_t NumberAt(const char* at, uint64_t size) {
  uint64_t bytes = wire::Load64(at);
  asm("bzhi %2, %1, %0" : "=r"(bytes) : "r"(bytes), "r"(size * 8) : "cc");
  return static_cast<int64_t>(wire::GatheredVarint::Gather(bytes));
}

// The same in fewer instructions: which of the first bytes end a number tells at once where the
// fields are.
TFPROF_INLINE Event ReadEvent(std::string_view message, wire::GatheredVarint) {
  const char* const at = message.data();
  const auto continued = [at](size_t i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + i));
    return static_cast<uint32_t>(_mm_movemask_epi8(bytes));
  };
  // Without the first tag; a number and the tag behind it end one after the other. The upper half
  // is set, so there are enough of them.
  uint64_t ends = ~uint64_t{continued(0) | continued(16) << 16} & ~uint64_t{1};
  const auto next_end = [&ends] {
    const auto end = static_cast<uint32_t>(__builtin_ctzll(ends));
    ends &= ends - 1;
    ends &= ends - 1;
    return end;
  };
  const uint32_t id = next_end(), offset = next_end(), duration = next_end();
  const bool has_tags =
      at[0] == kIdTag && at[id + 1] == kOffsetTag && at[offset + 1] == kDurationTag;
  const bool fits =
      duration < message.size() && id <= 10 && offset - id - 1 <= 8 && duration - offset - 1 <= 8;
  if (!has_tags || !fits || (duration + 1 < message.size() && at[duration + 1] != kStatsTag))
      [[unlikely]] {
    return ReadInOrder<wire::GatheredVarint>(message);
  }
  Event event;
  event.metadata_id = NumberAt(at + 1, id);
  if (id > 8) {  // a hash
    uint64_t whole = 0;
    wire::FinishLongVarint(at + 1, static_cast<uint64_t>(event.metadata_id), &whole);
    event.metadata_id = static_cast<int64_t>(whole);
  }
  event.offset_ps = NumberAt(at + id + 2, offset - id - 1);
  event.duration_ps = NumberAt(at + offset + 2, duration - offset - 1);
  return event;
}
#else
TFPROF_INLINE Event ReadEvent(std::string_view message, wire::GatheredVarint) {
  return ReadInOrder<wire::GatheredVarint>(message);
}
#endif

}  // namespace tfprof::xspace
