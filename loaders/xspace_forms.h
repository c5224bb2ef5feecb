// SPDX-License-Identifier: Apache-2.0
#pragma once
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "loaders/wire.h"
#include "loaders/xspace_values.h"
#include "loaders/xspace_walk.h"

// Events of a line look alike: the same stats in the same order, of the same lengths. Where the
// values of one stand holds for each that has the same bytes wherever a walk would look: tags,
// lengths and ids. Comparing those of a whole event at once costs less than two steps of a walk,
// each of which has to wait for the one before.

namespace tfprof::xspace {

class EventForms {
 public:
  static constexpr size_t kMostKeys = 16;

  // Where the value of a key stands in the stats of an event. number: what the bytes of a varint
  // say, and `constant`; what is absent or the same for all events of the form has no bytes, so
  // that one way without a branch serves for nearly all values.
  struct Place {
    enum class Kind : uint8_t { number, reference, any };
    Kind kind = Kind::number;
    ValueKind value = ValueKind::absent;
    uint8_t at = 0;     // of the varint; any: of the length of the stat
    uint64_t mask = 0;  // the bytes of the varint
    uint64_t constant = 0;
  };
  using Places = std::array<Place, kMostKeys>;  // by key

  // At most kMostKeys.
  EventForms(const StatSlots& slots, std::span<const WantedKey> keys)
      : slots_(&slots), keys_(keys), forms_(std::make_unique<Form[]>(kForms)) {}

  // Where the values of the event stand, and where its stats begin; null: it has to be walked.
  // Valid until Learn().
  // REQUIRES: kBytes readable bytes behind the event.
  TFPROF_INLINE const Places* Find(std::string_view event, const char** stats);
  // Makes a form of what was not found lately, if that came twice. To be called now and then.
  void Learn();

 private:
  static constexpr size_t kBytes = 64;       // whose ends are told by the bits of a word
  static constexpr size_t kMostBytes = 128;  // of stats that have a form
  static constexpr size_t kBlock = 32;       // what is compared at once
  static constexpr size_t kForms = 256;

  struct Form {
    alignas(64) uint8_t mask[kMostBytes] = {};  // where a walk looks
    uint8_t bytes[kMostBytes] = {};
    size_t size = 0;    // of the stats that have it
    uint64_t seen = 0;  // the key of the last ones that did not
    Places places = {};
  };
  struct Stats {
    const char* begin = nullptr;
    size_t size = 0;
    uint64_t key = 0;
  };

  // Bit i: byte i is not the last one of its number.
  TFPROF_INLINE static uint64_t Continued(const char* at);
  // A bit for each of the first bytes.
  TFPROF_INLINE static uint64_t First(size_t bytes) { return ~uint64_t{0} >> (kBytes - bytes); }
  // Behind id, offset and duration of an event; see BehindTimes. `continued`: of its first bytes.
  TFPROF_INLINE static const char* Behind(std::string_view event, uint64_t continued);
  // The same for all stats of a form, of another one rarely.
  TFPROF_INLINE static uint64_t KeyOf(uint64_t continued, size_t size) {
    return (continued ^ static_cast<uint64_t>(size) << 57) * 0x9E3779B97F4A7C15u | 1;
  }
  TFPROF_INLINE static uint64_t KeyOfLong(const char* stats, size_t size);
  // Of a block of a form.
  TFPROF_INLINE static bool Differs(const Form& form, const char* stats, size_t at);
  bool MakeForm(const Stats& of, Form* form) const;
  Place PlaceOf(const WantedKey& key, const char* stats, const uint32_t* found) const;

  const StatSlots* slots_;
  std::span<const WantedKey> keys_;
  std::unique_ptr<Form[]> forms_;
  Stats missed_;  // lately
};

#ifdef __SSE2__
inline __m128i Load128(const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); }

TFPROF_INLINE uint64_t EventForms::Continued(const char* at) {
  const auto load = [&](size_t i) {
    return static_cast<uint64_t>(_mm_movemask_epi8(Load128(at + i)));
  };
  return load(0) | load(16) << 16 | load(32) << 32 | load(48) << 48;
}

TFPROF_INLINE bool EventForms::Differs(const Form& form, const char* stats, size_t at) {
  __m128i differs = _mm_setzero_si128();
  for (size_t i = at; i < at + kBlock; i += sizeof differs) {
    const __m128i other = _mm_xor_si128(Load128(stats + i), Load128(form.bytes + i));
    differs = _mm_or_si128(differs, _mm_and_si128(other, Load128(form.mask + i)));
  }
  return _mm_movemask_epi8(_mm_cmpeq_epi8(differs, _mm_setzero_si128())) != 0xFFFF;
}
#else
TFPROF_INLINE uint64_t EventForms::Continued(const char* at) {
  uint64_t bits = 0;
  for (size_t i = 0; i < kBytes / 8; ++i) {
    const uint64_t word = wire::Load64(at + 8 * i) & 0x8080808080808080u;
    bits |= (word * 0x0002040810204081u >> 56) << 8 * i;  // bit 8k + 7 of the word to bit 56 + k
  }
  return bits;
}

TFPROF_INLINE bool EventForms::Differs(const Form& form, const char* stats, size_t at) {
  uint64_t differs = 0;
  for (size_t i = at; i < at + kBlock; i += sizeof differs) {
    const char* const bytes = reinterpret_cast<const char*>(form.bytes + i);
    const char* const mask = reinterpret_cast<const char*>(form.mask + i);
    differs |= (wire::Load64(stats + i) ^ wire::Load64(bytes)) & wire::Load64(mask);
  }
  return differs != 0;
}
#endif

TFPROF_INLINE const char* EventForms::Behind(std::string_view event, uint64_t continued) {
  const char* const begin = event.data();
  // Tags and the last bytes of numbers are the bytes that nothing continues, in turns. The bits
  // behind the first half are set, so there are enough of them.
  uint64_t ends = ~continued | ~First(kBytes / 2);
  const auto drop_two = [&] {
    ends &= ends - 1;
    ends &= ends - 1;
    return std::countr_zero(ends);
  };
  const int second = drop_two(), third = drop_two(), behind = drop_two();
  const bool has_duration = begin[third] == wire::Tag(3, wire::kVarint);
  const int stats = has_duration ? behind : third;
  const bool fits = begin[0] == wire::Tag(1, wire::kVarint) &&
                    begin[second] == wire::Tag(2, wire::kVarint) && stats < 32 &&
                    static_cast<size_t>(stats) <= event.size();
  return fits ? begin + stats : BehindTimes(event);
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
  const uint64_t continued = Continued(event.data());
  *stats = Behind(event, continued);
  const auto times = static_cast<size_t>(*stats - event.data());
  const size_t size = event.size() - times;
  if (size - 1 >= kMostBytes) [[unlikely]]
    return nullptr;
  const uint64_t key = event.size() <= kBytes ? KeyOf(continued >> times & First(size), size)
                                              : KeyOfLong(*stats, size);
  Form& form = forms_[key >> 56];
  bool differs = form.size != size || Differs(form, *stats, 0);
  for (size_t at = kBlock; at < size; at += kBlock) differs |= Differs(form, *stats, at);
  if (differs) [[unlikely]] {
    missed_ = {*stats, size, key};
    return nullptr;
  }
  return &form.places;
}

}  // namespace tfprof::xspace
