// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/walk.h"

namespace tfprof::xspace {
namespace {

// Returns the id of a stat, which is usually its first field.
int64_t IdOf(std::string_view stat) {
  if (stat.size() < 2 || stat[0] != wire::TagByte(field::XStat::metadata_id, wire::kVarint))
    return ReadStat(stat).key;
  uint64_t id = 0;
  const char* after = wire::ReadVarint(stat.data() + 1, &id);
  if (after == nullptr || after > stat.data() + stat.size()) return 0;
  return static_cast<int64_t>(id);
}

}  // namespace

uint8_t StatSlots::Add(int64_t id) {
  const size_t slot = SlotOf(id);
  if (slot == ids_.size()) ids_.push_back(id);
  slot_of_.assign(kFastIds, static_cast<uint8_t>(ids_.size()));
  for (size_t i = 0; i < ids_.size(); ++i) {
    if (ids_[i] >= 0 && ids_[i] < kFastIds)
      slot_of_[static_cast<size_t>(ids_[i])] = static_cast<uint8_t>(i);
  }
  return static_cast<uint8_t>(slot);
}

void StatSlots::FindAny(const char* base, std::string_view message, uint32_t tag,
                        uint32_t* found) const {
  if (message.size() > 0xFFFFFFFFu) return;
  for (wire::Fields fields(message); fields.Next();) {
    if (fields.tag() != tag) {
      fields.Skip();
      continue;
    }
    const char* const place = fields.position();
    const std::string_view stat = fields.Bytes();
    if (fields.bad() != nullptr) return;
    uint32_t& into = found[SlotOf(IdOf(stat))];
    into = into != 0 ? into : static_cast<uint32_t>(place - base);
  }
}

}  // namespace tfprof::xspace
