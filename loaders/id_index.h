// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace tfprof {

// Maps ids to positions in a table, for millions of lookups. Ids may be consecutive (no lookup is
// needed), small and dense, or 64-bit hashes.
class IdIndex {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  IdIndex() = default;
  // REQUIRES: `ids` ascend without duplicates. The result for an id is its position in them.
  explicit IdIndex(const std::vector<int64_t>& ids)
      : IdIndex(ids.size(), [&](size_t place) { return ids[place]; }) {}
  // As above, with ids given by id_at(position).
  template <class IdAt>
  IdIndex(size_t count, IdAt id_at);

  uint32_t Find(int64_t id) const {
    const uint64_t from_first = static_cast<uint64_t>(id) - static_cast<uint64_t>(first_);
    if (from_first < run_) return static_cast<uint32_t>(from_first);
    if (slots_.empty()) return from_first < dense_.size() ? dense_[from_first] : kNone;
    for (size_t at = SlotOf(id);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].place == kNone || slots_[at].id == id) return slots_[at].place;
    }
  }
  // Find as a separate function, for loops that mostly find ids at the expected position.
  __attribute__((noinline)) uint32_t FindSlowly(int64_t id) const { return Find(id); }

  // The ids first(), first() + 1 ... have the positions 0, 1 ...
  int64_t first() const { return first_; }
  uint64_t run() const { return run_; }

  // Replaces each id by its position.
  void FindAll(std::span<uint64_t> ids) const {
    const auto first = static_cast<uint64_t>(first_);
    const uint64_t run = run_;
    for (uint64_t& id : ids) {
      const uint64_t from_first = id - first;
      id = from_first < run ? from_first : Find(static_cast<int64_t>(id));
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
  uint64_t run_ = 0;             // number of consecutive ids; nearly all writers count up
  std::vector<uint32_t> dense_;  // by id - first_
  std::vector<Slot> slots_;      // open addressing, at most half full; empty: dense_ is used
  int shift_ = 0;
};

template <class IdAt>
IdIndex::IdIndex(size_t count, IdAt id_at) {
  if (count == 0) return;
  first_ = id_at(0);
  const uint64_t span = static_cast<uint64_t>(id_at(count - 1)) - static_cast<uint64_t>(first_);
  if (span + 1 == count) {
    run_ = count;
    return;
  }
  if (span <= 4 * count + 1024) {
    dense_.assign(span + 1, kNone);
    for (size_t i = 0; i < count; ++i) {
      dense_[static_cast<uint64_t>(id_at(i)) - static_cast<uint64_t>(first_)] =
          static_cast<uint32_t>(i);
    }
    return;
  }
  slots_.resize(std::bit_ceil(count * 2));
  shift_ = 64 - std::countr_zero(slots_.size());
  for (size_t i = 0; i < count; ++i) {
    const int64_t id = id_at(i);
    size_t at = SlotOf(id);
    while (slots_[at].place != kNone) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {id, static_cast<uint32_t>(i)};
  }
}

}  // namespace tfprof
