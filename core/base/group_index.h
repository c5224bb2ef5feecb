// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/hash.h"

namespace tfprof {

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
