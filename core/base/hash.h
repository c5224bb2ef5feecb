// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tfprof {

inline uint64_t MixHash(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// The hash of two numbers. MixHash alone would map all pairs with a 0, the hash of an empty text,
// or a ~0 to one hash.
inline uint64_t HashPair(uint64_t a, uint64_t b) {
  return MixHash(a ^ 0x9E3779B97F4A7C15u, b ^ 0xD6E8FEB86659FD93u);
}

// A fast 64-bit hash for the tables of one process. It is not stable across versions and not safe
// against hostile keys; a collision only costs time, since texts are compared.
inline uint64_t Hash(std::string_view text) {
  constexpr uint64_t kA = 0x9E3779B97F4A7C15u;
  constexpr uint64_t kB = 0xD6E8FEB86659FD93u;
  const auto load = [](const char* at, auto word) {
    std::memcpy(&word, at, sizeof word);
    return static_cast<uint64_t>(word);
  };
  const char* at = text.data();
  const size_t size = text.size();
  uint64_t hash = kA ^ (size * kB);
  for (size_t left = size; left > 16; left -= 16, at += 16) {
    hash = MixHash(load(at, uint64_t{}) ^ hash, load(at + 8, uint64_t{}) ^ kB);
  }
  // Reads the rest in words of fixed sizes, which may overlap: a copy of variable size is slow.
  const char* end = text.data() + size;
  uint64_t low = 0, high = 0;
  if (size >= 16) {
    low = load(end - 16, uint64_t{});
    high = load(end - 8, uint64_t{});
  } else if (size >= 8) {
    low = load(at, uint64_t{});
    high = load(end - 8, uint64_t{});
  } else if (size >= 4) {
    low = load(at, uint32_t{}) << 32 | load(end - 4, uint32_t{});
  } else if (size > 0) {
    low =
        load(at, uint8_t{}) << 16 | load(at + size / 2, uint8_t{}) << 8 | load(end - 1, uint8_t{});
  }
  return MixHash(low ^ hash ^ kA, high ^ kB ^ size);
}

// a == b without a call of memcmp, for mostly equal texts of tens of bytes.
inline bool SameText(std::string_view a, std::string_view b) {
  const size_t size = a.size();
  if (size != b.size()) return false;
  if (size < 8) return a == b;
  const auto differ = [&](size_t at) {
    uint64_t words[2];
    std::memcpy(&words[0], a.data() + at, 8);
    std::memcpy(&words[1], b.data() + at, 8);
    return words[0] ^ words[1];
  };
  if (differ(size - 8) != 0) return false;  // device texts differ at the end
  size_t at = 0;
  for (; at + 16 <= size; at += 16) {
    if ((differ(at) | differ(at + 8)) != 0) return false;
  }
  return at + 8 > size || differ(at) == 0;
}

}  // namespace tfprof
