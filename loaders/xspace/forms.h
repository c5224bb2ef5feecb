// SPDX-License-Identifier: Apache-2.0
#pragma once
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "loaders/wire/wire.h"
#include "loaders/xspace/event.h"
#include "loaders/xspace/values.h"
#include "loaders/xspace/walk.h"
#include "proto/xplane_fields.h"

// Events of a line are similar: the same stats in the same order, with the same lengths. The
// positions of values in one event hold for every event with equal bytes wherever a walk would
// look: tags, lengths and ids. Comparing these bytes of a whole event at once costs less than two
// steps of a walk, each of which depends on the previous one: reading columns of a 190 MB trace
// takes half of the time. 32-byte registers are no faster than 16-byte ones.

namespace tfprof::xspace {

class EventForms {
 public:
  static constexpr size_t kMaxKeys = 16;

  // Position of a key's value in the stats of an event. number: the bytes of a varint combined with
  // `constant`. A value that is absent or equal for all events of the form has no bytes, so that
  // one branch-free path serves nearly all values.
  struct Place {
    enum class Kind : uint8_t { number, reference, any };
    Kind kind = Kind::number;
    ValueKind value = ValueKind::absent;
    uint8_t at = 0;     // of the varint; any: of the length of the stat
    uint64_t mask = 0;  // the bytes of the varint
    uint64_t constant = 0;
  };
  using Places = std::array<Place, kMaxKeys>;  // by key

  // REQUIRES: at most kMaxKeys keys.
  EventForms(const StatSlots& slots, std::span<const RequestedKey> keys)
      : slots_(&slots),
        keys_(keys),
        forms_(std::make_unique<Form[]>(kForms)),
        last_(forms_.get()) {}

  // Returns the positions of the event's values and sets *stats to the start of its stats; null:
  // the event must be walked. Valid until Learn(). REQUIRES: kBytes readable bytes follow the
  // event.
  TFPROF_INLINE const Places* Find(std::string_view event, const char** stats);
  // Makes a form of the last event that had none, if its key occurred twice. Call it now and then.
  void Learn();

 private:
  static constexpr size_t kBytes = 64;      // bytes whose ends are the bits of one word
  static constexpr size_t kMaxBytes = 128;  // of stats that have a form
  static constexpr size_t kBlock = 32;      // compared at once
  static constexpr size_t kForms = 256;

  struct Form {
    alignas(64) uint8_t mask[kMaxBytes] = {};  // bytes that a walk looks at
    uint8_t bytes[kMaxBytes] = {};
    size_t size = 0;    // of the stats with this form
    uint64_t seen = 0;  // key of the last stats without this form
    Places places = {};
  };
  struct Stats {
    const char* begin = nullptr;
    size_t size = 0;
    uint64_t key = 0;
  };

  // Returns a mask with bit i set if byte i is not the last one of its number.
  TFPROF_INLINE static uint64_t Continued(const char* at) {
    return ContinuedHalf(at) | ContinuedHalf(at + kBytes / 2) << kBytes / 2;
  }
  TFPROF_INLINE static uint64_t ContinuedHalf(const char* at);
  // Returns a mask of the first bytes.
  TFPROF_INLINE static uint64_t First(size_t bytes) { return ~uint64_t{0} >> (kBytes - bytes); }
  // Returns the byte after id, offset and duration of an event; see AfterTimes. `continued`: mask
  // of its first bytes, half of kBytes.
  TFPROF_INLINE static const char* AfterForm(std::string_view event, uint64_t continued);
  // Returns the same key for all stats of a form; other forms rarely share it.
  TFPROF_INLINE static uint64_t KeyOf(uint64_t continued, size_t size) {
    return (continued ^ static_cast<uint64_t>(size) << 57) * 0x9E3779B97F4A7C15u | 1;
  }
  TFPROF_INLINE static uint64_t KeyOfLong(const char* stats, size_t size);
  TFPROF_INLINE static bool Differs(const Form& form, const char* stats, size_t size) {
    bool differs = form.size != size || BlockDiffers(form, stats, 0);
    for (size_t at = kBlock; at < size; at += kBlock) differs |= BlockDiffers(form, stats, at);
    return differs;
  }
  TFPROF_INLINE static bool BlockDiffers(const Form& form, const char* stats, size_t at);
  bool MakeForm(const Stats& of, Form* form) const;
  Place PlaceOf(const RequestedKey& key, const char* stats, const uint32_t* found) const;

  const StatSlots* slots_;
  std::span<const RequestedKey> keys_;
  std::unique_ptr<Form[]> forms_;
  const Form* last_;  // the last form found: the next event usually has it, too
  Stats missed_;      // the last stats without a form
};

#ifdef __x86_64__
inline __m128i Load128(const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); }

TFPROF_INLINE uint64_t Continued16(const char* at) {
  return static_cast<uint64_t>(_mm_movemask_epi8(Load128(at)));
}
TFPROF_INLINE bool Differs16(const void* bytes, const void* others, const void* mask) {
  const __m128i differs =
      _mm_and_si128(_mm_xor_si128(Load128(bytes), Load128(others)), Load128(mask));
  return _mm_movemask_epi8(_mm_cmpeq_epi8(differs, _mm_setzero_si128())) != 0xFFFF;
}
#endif

TFPROF_INLINE uint64_t EventForms::ContinuedHalf(const char* at) {
#ifdef __x86_64__
  return Continued16(at) | Continued16(at + 16) << 16;
#else
  uint64_t bits = 0;
  for (size_t i = 0; i < kBytes / 16; ++i) {
    const uint64_t word = wire::Load64(at + 8 * i) & 0x8080808080808080u;
    bits |= (word * 0x0002040810204081u >> 56) << 8 * i;  // bit 8k + 7 of the word to bit 56 + k
  }
  return bits;
#endif
}

TFPROF_INLINE bool EventForms::BlockDiffers(const Form& form, const char* stats, size_t at) {
#ifdef __x86_64__
  return Differs16(stats + at, form.bytes + at, form.mask + at) ||
         Differs16(stats + at + 16, form.bytes + at + 16, form.mask + at + 16);
#else
  uint64_t differs = 0;
  for (size_t i = at; i < at + kBlock; i += sizeof differs) {
    const char* const bytes = reinterpret_cast<const char*>(form.bytes + i);
    const char* const mask = reinterpret_cast<const char*>(form.mask + i);
    differs |= (wire::Load64(stats + i) ^ wire::Load64(bytes)) & wire::Load64(mask);
  }
  return differs != 0;
#endif
}

TFPROF_INLINE const char* EventForms::AfterForm(std::string_view event, uint64_t continued) {
  const char* const begin = event.data();
  // The bytes that end a tag and those that end a number alternate. Bits after the first half are
  // set, so there are enough of them.
  uint64_t ends = ~continued;
  const auto drop_two = [&] {
    ends &= ends - 1;
    ends &= ends - 1;
    return std::countr_zero(ends);
  };
  const int second = drop_two(), third = drop_two();
  if (begin[0] != kIdTag || begin[second] != kOffsetTag) [[unlikely]]
    return AfterTimes(event);
  const int stats = begin[third] == kDurationTag ? drop_two() : third;
  const bool fits = stats < 32 && static_cast<size_t>(stats) <= event.size();
  return fits ? begin + stats : AfterTimes(event);
}

TFPROF_INLINE uint64_t EventForms::KeyOfLong(const char* stats, size_t size) {
  if (size <= kBytes) return KeyOf(Continued(stats) & First(size), size);
  return KeyOf(KeyOf(Continued(stats), size) >> 7,
               Continued(stats + kBytes) & First(size - kBytes));
}

TFPROF_INLINE const EventForms::Places* EventForms::Find(std::string_view event,
                                                         const char** stats) {
  if (event.empty()) [[unlikely]]
    return nullptr;
  const uint64_t half = ContinuedHalf(event.data());
  *stats = AfterForm(event, half);
  const auto times = static_cast<size_t>(*stats - event.data());
  const size_t size = event.size() - times;
  if (size - 1 >= kMaxBytes) [[unlikely]]
    return nullptr;
  if (!Differs(*last_, *stats, size)) [[likely]]
    return &last_->places;
  const uint64_t continued = half | ContinuedHalf(event.data() + kBytes / 2) << kBytes / 2;
  const uint64_t key = event.size() <= kBytes ? KeyOf(continued >> times & First(size), size)
                                              : KeyOfLong(*stats, size);
  const Form& form = forms_[key >> 56];
  if (Differs(form, *stats, size)) [[unlikely]] {
    missed_ = {*stats, size, key};
    return nullptr;
  }
  last_ = &form;
  return &form.places;
}

}  // namespace tfprof::xspace
