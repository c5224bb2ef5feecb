// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "loaders/wire/wire.h"
#include "loaders/xspace/stats.h"
#include "proto/xplane_fields.h"

// Walks the stats of an event and finds all wanted ones in one pass. There are millions of events
// with stats of their own, so the walk avoids branches that predict badly: no branch depends on
// which stats an event has, and few depend on their number. Most events are not walked at all: see
// EventForms.

namespace tfprof::xspace {

// Returns the message of the event with detail `detail`; empty if there is none.
TFPROF_INLINE std::string_view EventAt(std::string_view line, uint32_t detail) {
  if (detail >= line.size()) return {};
  const auto first = static_cast<uint8_t>(line[detail]);
  if (first < 0x80 && first < line.size() - detail) [[likely]]
    return {line.data() + detail + 1, first};
  uint64_t size = 0;
  const char* end = line.data() + line.size();
  const char* start = wire::ReadVarint(line.data() + detail, &size);
  if (start == nullptr || start > end || size > static_cast<uint64_t>(end - start)) return {};
  return {start, static_cast<size_t>(size)};
}

// Returns the byte after id, offset and duration of an event that begins with them, as all writers
// have it; else its start. The duration may be absent.
TFPROF_INLINE const char* AfterTimes(std::string_view event) {
  const char* const end = event.data() + event.size();
  const char* at = event.data();
  for (const field::XEvent time :
       {field::XEvent::metadata_id, field::XEvent::offset_ps, field::XEvent::duration_ps}) {
    if (at >= end || static_cast<uint8_t>(*at) != wire::Tag(time, wire::kVarint)) continue;
    at = wire::SkipVarint(at + 1);
    if (at == nullptr || at > end) return event.data();
  }
  return at;
}

// The ids of wanted stats. Each has a slot; all other ids share the last slot.
class StatSlots {
 public:
  // Returns the slot of the id; adds one if the id is new.
  uint8_t Add(int64_t id);
  // Slots of an event, including the shared one.
  size_t width() const { return ids_.size() + 1; }

  // Locates the stats of an event: sets found[slot] to the offset of the length of its stat from
  // `line`. Of several stats with one id the first counts. Leaves found[slot] unchanged if there is
  // none. REQUIRES: found[0 .. width()) are 0; `event` lies in `line`.
  TFPROF_INLINE void Find(const char* line, std::string_view event, uint32_t* found) const {
    const char* const end = event.data() + event.size();
    if (event.empty() || end - line > 0xFFFFFFFF) [[unlikely]]
      return;
    const char* const stats = AfterTimes(event);
    if (FindShort(line, stats, end, found)) [[likely]]
      return;
    FindAny(line, {stats, static_cast<size_t>(end - stats)},
            wire::Tag(field::XEvent::stats, wire::kBytes), found);
  }
  // As Find, in a message with any fields; those with `tag` are stats.
  void FindAny(const char* base, std::string_view message, uint32_t tag, uint32_t* found) const;

 private:
  static constexpr uint32_t kFastIds = 1 << 14;  // ids of one or two bytes

  // Returns false if there is anything but stats of less than 128 bytes that begin with such an id.
  // The offsets found before that are valid.
  TFPROF_INLINE bool FindShort(const char* line, const char* at, const char* end,
                               uint32_t* found) const;
  size_t SlotOf(int64_t id) const {
    for (size_t i = 0; i < ids_.size(); ++i) {
      if (ids_[i] == id) return i;
    }
    return ids_.size();
  }

  std::vector<int64_t> ids_;      // by slot
  std::vector<uint8_t> slot_of_;  // by id
};

TFPROF_INLINE bool StatSlots::FindShort(const char* line, const char* at, const char* end,
                                        uint32_t* found) const {
  constexpr uint64_t kForm = uint64_t{wire::Tag(field::XStat::metadata_id, wire::kVarint)} << 16 |
                             wire::Tag(field::XEvent::stats, wire::kBytes);
  const uint8_t* const slot_of = slot_of_.data();
  const bool one = ids_.size() == 1;  // the rest can be skipped
  while (at < end) {
    const uint64_t word = wire::Load64(at);  // tag, length, tag of the id, id
    const uint64_t two = word >> 31 & 1;     // the id has a second byte
    const uint64_t size = word >> 8 & 0xFF;
    const uint64_t id = (word >> 24 & 0x7F) | (word >> 25 & 0x3F80 & (0 - two));
    const char* const after = at + 2 + size;
    const bool is_short =
        (word & 0xFF80FF) == kForm && size >= 2 + two && (two & word >> 39) == 0 && after <= end;
    if (!is_short) [[unlikely]]
      return false;
    const auto here = static_cast<uint32_t>(at - line);  // found is this plus 1, or 0
    const uint32_t slot = slot_of[id];
    found[slot] = std::min(found[slot] - 1, here) + 1;  // branch-free
    if (one && slot == 0) return true;
    at = after;
  }
  return true;
}

}  // namespace tfprof::xspace
