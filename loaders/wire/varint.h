// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>

// Varints, the numbers of the Protocol Buffers wire format: 7 bits per byte, the lowest first; all
// bytes but the last have the highest bit set. REQUIRES: at least 16 readable bytes follow the
// varint (whole words are loaded).
namespace tfprof::wire {

#define TFPROF_INLINE inline __attribute__((always_inline))  // otherwise up to 2.6 times slower

static_assert(std::endian::native == std::endian::little);

TFPROF_INLINE uint64_t Load64(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// Reads the 9th and 10th byte of a varint. `low` holds the 56 bits before them. Returns null if the
// varint is longer.
inline const char* FinishLongVarint(const char* at, uint64_t low, uint64_t* value) {
  const auto ninth = static_cast<uint8_t>(at[8]);
  low |= static_cast<uint64_t>(ninth & 0x7F) << 56;
  *value = low;
  if (ninth < 0x80) return at + 9;
  const auto tenth = static_cast<uint8_t>(at[9]);
  *value = low | static_cast<uint64_t>(tenth) << 63;  // bits over 64 are dropped
  return tenth < 0x80 ? at + 10 : nullptr;
}

// Returns the number of a varint of up to 8 bytes. REQUIRES: bits outside of the varint are 0.
TFPROF_INLINE uint64_t GatherPlainly(uint64_t word) {
  word = (word & 0x007F007F007F007Fu) | ((word & 0x7F007F007F007F00u) >> 1);
  word = (word & 0x00003FFF00003FFFu) | ((word & 0x3FFF00003FFF0000u) >> 2);
  return (word & 0x000000000FFFFFFFu) | ((word & 0x0FFFFFFF00000000u) >> 4);
}

// True if the processor gathers bits in one fast instruction (PEXT); it is slow on the first Zen
// processors. Every such processor also has AVX2. Initialized before main.
extern const bool gathers_bits;

// TFPROF_GATHERS: a function that runs only on such a processor.
#ifdef __x86_64__
#define TFPROF_GATHERS __attribute__((target("avx2,bmi,bmi2")))
// As GatherPlainly. REQUIRES: gathers_bits.
TFPROF_INLINE uint64_t GatherAtOnce(uint64_t word) {
  asm("pext %2, %1, %0" : "=r"(word) : "r"(word), "r"(0x7F7F7F7F7F7F7F7Fu));
  return word;
}
#else
#define TFPROF_GATHERS
TFPROF_INLINE uint64_t GatherAtOnce(uint64_t word) { return GatherPlainly(word); }
#endif

// Varint readers selected at compile time, for loops that read little else. Elsewhere a check per
// varint costs a branch that always goes the same way.
struct PlainVarint {
  TFPROF_INLINE static uint64_t Gather(uint64_t word) { return GatherPlainly(word); }
  TFPROF_INLINE static const char* Read(const char* at, uint64_t* value);
};
struct GatheredVarint {
  TFPROF_INLINE static uint64_t Gather(uint64_t word) { return GatherAtOnce(word); }
};
struct AnyVarint {
  TFPROF_INLINE static uint64_t Gather(uint64_t word) {
    if (gathers_bits) [[likely]]
      return GatherAtOnce(word);
    return GatherPlainly(word);
  }
};

template <class Way>
TFPROF_INLINE const char* ReadVarintBy(const char* at, uint64_t* value) {
  uint64_t word = Load64(at);
  if ((word & 0x80) == 0) {
    *value = word & 0x7F;
    return at + 1;
  }
  const uint64_t stops = ~word & 0x8080808080808080u;
  // Keeps all bytes up to the first one without a continuation bit, or everything if there is none.
  word = Way::Gather(word & (stops ^ (stops - 1)));
  *value = word;
  if (stops != 0) [[likely]]
    return at + static_cast<unsigned>(std::countr_zero(stops)) / 8 + 1;
  return FinishLongVarint(at, word, value);
}

const char* PlainVarint::Read(const char* at, uint64_t* value) {
  return ReadVarintBy<PlainVarint>(at, value);
}

// Reads at most 10 bytes. Returns the byte after the varint, or null if it is longer.
TFPROF_INLINE const char* ReadVarint(const char* at, uint64_t* value) {
  return ReadVarintBy<AnyVarint>(at, value);
}

// Returns the byte after the varint at `at`; null as above.
TFPROF_INLINE const char* SkipVarint(const char* at) {
  const uint64_t stops = ~Load64(at) & 0x8080808080808080u;
  if (stops != 0) [[likely]]
    return at + static_cast<unsigned>(std::countr_zero(stops)) / 8 + 1;
  uint64_t value = 0;
  return ReadVarint(at, &value);
}

}  // namespace tfprof::wire
