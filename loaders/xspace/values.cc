// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/values.h"

namespace tfprof::xspace {

RequestedKey KeyFor(const Spelling& spelling, const StatNames& names, StatSlots* slots) {
  RequestedKey wanted;
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

void Texts::OfReferences(std::span<uint64_t> ids) {
  names_->index.FindAll(ids);
  uint8_t* const is_used = is_used_.data();
  for (uint64_t& place : ids) {
    if (place == IdIndex::kNone) [[unlikely]]
      place = Of("");  // a dangling reference
    else
      is_used[place] = 1;
  }
}

uint32_t Texts::Of(std::string_view text) {
  const NameId id = used_texts_.Intern(text);
  while (used_text_ids_.size() < used_texts_.size()) {
    const std::lock_guard guard(own_->lock);
    const NameId of_all = own_->names.Intern(used_texts_[NameId(used_text_ids_.size())]);
    used_text_ids_.push_back(static_cast<uint32_t>(names_->names.size()) + of_all.value);
  }
  return used_text_ids_[id.value];
}

std::vector<uint32_t> Texts::Used() const {
  std::vector<uint32_t> used;
  for (uint32_t place = 0; place < is_used_.size(); ++place) {
    if (is_used_[place] != 0) used.push_back(place);
  }
  used.insert(used.end(), used_text_ids_.begin(), used_text_ids_.end());
  return used;
}

Value ValueOfAny(const char* length, const char* end, Texts* texts) {
  uint64_t size = 0;
  const char* const at = wire::ReadVarint(length, &size);
  if (at == nullptr || at > end || size > static_cast<uint64_t>(end - at)) return {};
  const Stat stat = ReadStat({at, static_cast<size_t>(size)});
  if (!IsText(stat.kind)) return {stat.kind, stat.bits};
  if (stat.form == Stat::Form::reference) return {stat.kind, texts->OfReference(stat.bits)};
  return {stat.kind, texts->Of(Resolve(stat, texts->names()).text)};
}

void ParseTexts(const Spelling& spelling, DetailColumn* column) {
  DetailColumn parsed;
  std::vector<Value> values(column->texts.size());
  for (uint32_t i = 0; i < values.size(); ++i) {
    const Parsed value = spelling.parse(column->texts[NameId(i)]);
    values[i] = {value.kind, value.bits};
    if (!IsText(value.kind)) continue;
    values[i].bits = parsed.text_of.size();
    parsed.text_of.push_back(parsed.texts.Intern(value.text));
  }
  std::vector<uint8_t> kinds;
  std::vector<uint64_t> bits;
  for (uint32_t first = 0; first < column->rows.count; first += DetailBlock::kRows) {
    const uint32_t count = std::min(DetailBlock::kRows, column->rows.count - first);
    kinds.assign(count, 0);
    bits.assign(count, 0);
    for (uint32_t i = 0; i < count; ++i) {
      const NameId text = column->TextId(column->rows.first + first + i);
      if (!text.some()) continue;
      kinds[i] = static_cast<uint8_t>(values[text.value].kind);
      bits[i] = values[text.value].bits;
    }
    parsed.blocks.emplace_back(kinds, bits);
  }
  parsed.rows = column->rows;
  *column = std::move(parsed);
}

}  // namespace tfprof::xspace
