// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

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

// Lets containers of std::string be searched by std::string_view.
struct HashText {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return Hash(text); }
};

// Numbers the distinct keys of millions of rows in order of first appearance. `Key` is a plain
// value with operator== and `uint64_t Hash() const`.
template <class Key>
class GroupIndex {
 public:
  GroupIndex() : slots_(64, kFree) {}

  uint32_t Of(const Key& key) {
    return Of(key, [](const Key& same) { return same; });
  }
  // `own` makes the copy of a new key that is stored.
  template <class Own>
  uint32_t Of(const Key& key, Own own) {
    size_t at = key.Hash() & (slots_.size() - 1);
    for (; slots_[at] != kFree; at = (at + 1) & (slots_.size() - 1)) {
      if (keys_[slots_[at]] == key) return slots_[at];
    }
    const auto group = static_cast<uint32_t>(keys_.size());
    keys_.push_back(own(key));
    slots_[at] = group;
    if (keys_.size() * 2 > slots_.size()) Grow();
    return group;
  }
  const std::vector<Key>& keys() const { return keys_; }
  size_t size() const { return keys_.size(); }

 private:
  static constexpr uint32_t kFree = 0xFFFFFFFFu;

  void Grow() {
    std::vector<uint32_t> slots(slots_.size() * 2, kFree);
    for (uint32_t group = 0; group < keys_.size(); ++group) {
      size_t at = keys_[group].Hash() & (slots.size() - 1);
      while (slots[at] != kFree) at = (at + 1) & (slots.size() - 1);
      slots[at] = group;
    }
    slots_ = std::move(slots);
  }

  std::vector<Key> keys_;
  std::vector<uint32_t> slots_;  // open addressing, a power of two, at most half full
};

}  // namespace tfprof
