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

// A fast 64-bit hash for the tables of one process; not stable across versions, not for hostile
// load: a collision costs time only, since texts are compared.
inline uint64_t Hash(std::string_view text) {
  constexpr uint64_t kA = 0x9E3779B97F4A7C15u;
  constexpr uint64_t kB = 0xD6E8FEB86659FD93u;
  const char* at = text.data();
  size_t left = text.size();
  uint64_t hash = kA ^ (left * kB);
  while (left >= 16) {
    uint64_t low, high;
    std::memcpy(&low, at, 8);
    std::memcpy(&high, at + 8, 8);
    hash = MixHash(low ^ hash, high ^ kB);
    at += 16;
    left -= 16;
  }
  uint64_t low = 0, high = 0;
  if (left > 8) {
    std::memcpy(&low, at, 8);
    std::memcpy(&high, at + 8, left - 8);
  } else if (left > 0) {
    std::memcpy(&low, at, left);
  }
  return MixHash(low ^ hash ^ kA, high ^ kB ^ left);
}

}  // namespace tfprof
