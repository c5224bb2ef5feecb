// SPDX-License-Identifier: Apache-2.0
#include "core/store/names.h"

#include <bit>
#include <cstring>

namespace tfprof {
namespace {

constexpr uint32_t kFree = NameId::kNone;

}  // namespace

Names::Names() {
  Rehash(16);  // many tables have one text: each key of each process has one
  Intern("");
}

NameId Names::Intern(std::string_view text, uint64_t hash) {
  if (text.empty() && !entries_.empty()) return NameId(0);
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  for (;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.id == kFree) break;
    if (slot.hash != static_cast<uint32_t>(hash)) continue;
    if (SameText(Text(NameId(slot.id)), text)) return NameId(slot.id);
  }
  const auto id = static_cast<uint32_t>(entries_.size());
  const auto length = static_cast<uint32_t>(text.size());
  entries_.Push({arena_.size(), length, 0});
  if (!text.empty()) std::memcpy(arena_.Extend(text.size()), text.data(), text.size());
  slots_[at] = {static_cast<uint32_t>(hash), id};
  if (entries_.size() * 2 > slots_.size()) Rehash(slots_.size() * 2);
  return NameId(id);
}

NameId Names::Find(std::string_view text, uint64_t hash) const {
  if (text.empty()) return NameId(0);
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.id == kFree) return {};
    if (slot.hash != static_cast<uint32_t>(hash)) continue;
    if (SameText(Text(NameId(slot.id)), text)) return NameId(slot.id);
  }
}

void Names::Reserve(size_t count) {
  const size_t slots = std::bit_ceil(count * 2);
  if (slots > slots_.size()) Rehash(slots);
  entries_.Reserve(count);
}

void Names::Rehash(size_t slots) {
  Column<Slot> old;
  old.Resize(slots, Slot{0, kFree});  // first, before any change: the allocation may fail
  std::swap(old, slots_);
  const size_t mask = slots - 1;
  for (const Slot& slot : old) {
    if (slot.id == kFree) continue;
    size_t at = slot.hash & mask;
    while (slots_[at].id != kFree) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace tfprof
