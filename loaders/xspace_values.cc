// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace_values.h"

namespace tfprof::xspace {

WantedKey Want(const Spelling& spelling, const StatNames& names, StatSlots* slots) {
  WantedKey wanted;
  wanted.spelling = spelling;
  for (size_t place = 0; place < std::size(spelling.stats); ++place) {
    if (spelling.stats[place].empty()) continue;
    for (size_t i = 0; i < names.names.size() && wanted.stats < wanted.slots.size(); ++i) {
      if (names.names[i] != spelling.stats[place]) continue;
      wanted.slots[wanted.stats] = slots->Add(names.ids[i]);
      wanted.places[wanted.stats++] = static_cast<uint8_t>(place);
    }
  }
  return wanted;
}

uint32_t Texts::Of(std::string_view text) {
  const NameId id = met_.Intern(text);
  while (met_number_.size() < met_.size()) {
    const std::lock_guard guard(own_->lock);
    const NameId of_all = own_->names.Intern(met_[NameId(met_number_.size())]);
    met_number_.push_back(static_cast<uint32_t>(names_->names.size()) + of_all.value);
  }
  return met_number_[id.value];
}

std::vector<uint32_t> Texts::Used() const {
  std::vector<uint32_t> used;
  for (uint32_t place = 0; place < is_used_.size(); ++place) {
    if (is_used_[place] != 0) used.push_back(place);
  }
  used.insert(used.end(), met_number_.begin(), met_number_.end());
  return used;
}

Value ValueOfAny(const char* length, Texts* texts) {
  uint64_t size = 0;
  const char* const at = wire::ReadVarint(length, &size);
  const Stat stat = ReadStat({at, static_cast<size_t>(size)});
  if (!IsText(stat.kind)) return {stat.kind, stat.bits};
  if (stat.form == Stat::Form::reference) return {stat.kind, texts->OfReference(stat.bits)};
  return {stat.kind, texts->Of(Resolve(stat, texts->names()).text)};
}

}  // namespace tfprof::xspace
