// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

namespace tfprof {

// The place of each id in a table, for tables that are asked millions of times. Ids may be small
// and dense or 64-bit hashes.
class IdIndex {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  IdIndex() = default;
  // `ids` ascending and each once; the place of an id is its position among them.
  explicit IdIndex(const std::vector<int64_t>& ids);

  uint32_t Find(int64_t id) const {
    const uint64_t from_first = static_cast<uint64_t>(id) - static_cast<uint64_t>(first_);
    if (slots_.empty()) return from_first < dense_.size() ? dense_[from_first] : kNone;
    for (size_t at = SlotOf(id);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].place == kNone || slots_[at].id == id) return slots_[at].place;
    }
  }

 private:
  struct Slot {
    int64_t id = 0;
    uint32_t place = kNone;
  };
  size_t SlotOf(int64_t id) const {
    return static_cast<size_t>((static_cast<uint64_t>(id) * 0x9E3779B97F4A7C15u) >> shift_);
  }

  int64_t first_ = 0;
  std::vector<uint32_t> dense_;  // by id - first_
  std::vector<Slot> slots_;      // open addressing, at most half full; empty: dense_ is used
  int shift_ = 0;
};

inline IdIndex::IdIndex(const std::vector<int64_t>& ids) {
  if (ids.empty()) return;
  first_ = ids.front();
  const uint64_t span = static_cast<uint64_t>(ids.back()) - static_cast<uint64_t>(first_);
  if (span <= 4 * ids.size() + 1024) {
    dense_.assign(span + 1, kNone);
    for (size_t i = 0; i < ids.size(); ++i) {
      dense_[static_cast<uint64_t>(ids[i]) - static_cast<uint64_t>(first_)] =
          static_cast<uint32_t>(i);
    }
    return;
  }
  slots_.resize(std::bit_ceil(ids.size() * 2));
  shift_ = 64 - std::countr_zero(slots_.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    size_t at = SlotOf(ids[i]);
    while (slots_[at].place != kNone) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {ids[i], static_cast<uint32_t>(i)};
  }
}

}  // namespace tfprof
