// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "core/base/column.h"
#include "core/base/hash.h"
#include "core/base/ids.h"

namespace tfprof {

// The distinct texts of a profile. Raw bytes, not necessarily UTF-8: emitters make them printable.
// Name 0 is the empty text. Ids follow the order of first appearance.
class Names {
 public:
  Names();

  // The id of `text`, a new one if it was unknown. `text` must not point into this table.
  NameId Intern(std::string_view text) { return Intern(text, Hash(text)); }
  NameId Intern(std::string_view text, uint64_t hash);

  // Reserves room for `count` texts in total, which avoids repeated growth.
  void Reserve(size_t count);
  // Reserves room for the bytes of texts in total.
  void ReserveText(size_t bytes) { arena_.Reserve(bytes); }
  size_t text_bytes() const { return arena_.size(); }

  // Prefetches for an upcoming lookup of a text with that hash, since tables of many names do not
  // fit into the cache: first the slot, then (once it has arrived) the entry, then the text.
  void PrefetchSlot(uint64_t hash) const { __builtin_prefetch(&SlotOf(hash)); }
  void PrefetchEntry(uint64_t hash) const {
    const Slot& slot = SlotOf(hash);
    if (slot.hash == static_cast<uint32_t>(hash) && slot.id < entries_.size())
      __builtin_prefetch(&entries_[slot.id]);
  }
  void PrefetchText(uint64_t hash) const {
    const Slot& slot = SlotOf(hash);
    if (slot.hash != static_cast<uint32_t>(hash) || slot.id >= entries_.size()) return;
    // As a number: the second line may be past the end of the table.
    const auto text = reinterpret_cast<uintptr_t>(arena_.data()) + entries_[slot.id].offset;
    __builtin_prefetch(reinterpret_cast<const void*>(text));
    __builtin_prefetch(reinterpret_cast<const void*>(text + 64));
  }

  // The id of `text`, or none.
  NameId Find(std::string_view text) const { return Find(text, Hash(text)); }
  NameId Find(std::string_view text, uint64_t hash) const;

  // Valid until the next Intern. `id` must not be none.
  std::string_view Text(NameId id) const {
    const Entry& entry = entries_[id.value];
    return {arena_.data() + entry.offset, entry.length};
  }
  std::string_view operator[](NameId id) const { return Text(id); }

  size_t size() const { return entries_.size(); }
  size_t bytes() const { return arena_.bytes() + entries_.bytes() + slots_.bytes(); }

 private:
  struct Entry {
    uint64_t offset;
    uint32_t length;
    uint32_t unused;
  };
  struct Slot {
    uint32_t hash;  // the lower half
    uint32_t id;    // Id::kNone: free
  };

  const Slot& SlotOf(uint64_t hash) const { return slots_[hash & (slots_.size() - 1)]; }
  void Rehash(size_t slots);

  Column<char> arena_;
  Column<Entry> entries_;
  Column<Slot> slots_;  // open addressing, a power of two, at most half full
};

}  // namespace tfprof
