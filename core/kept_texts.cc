// SPDX-License-Identifier: Apache-2.0
#include "core/kept_texts.h"

#include <algorithm>
#include <cstring>

#include "core/hash.h"

namespace tfprof {
namespace {

constexpr size_t kFirstSlots = 64;
constexpr size_t kBlockBytes = size_t{1} << 16;

}  // namespace

KeptTexts::Text KeptTexts::Keep(std::string_view text) {
  if (texts_.size() * 2 >= slots_.size()) Grow();
  const auto hash = static_cast<uint32_t>(Hash(text));
  size_t at = hash & (slots_.size() - 1);
  for (; slots_[at].number != kFree; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].hash != hash) continue;
    const std::string_view known = texts_[slots_[at].number];
    if (SameText(known, text)) return {known, slots_[at].number};
  }
  slots_[at] = {hash, static_cast<uint32_t>(texts_.size())};
  texts_.push_back(Copy(text));
  return {texts_.back(), slots_[at].number};
}

std::string_view KeptTexts::Copy(std::string_view text) {
  if (text.empty()) return {};
  if (blocks_.empty() || text.size() > left_) {
    left_ = std::max(kBlockBytes, text.size());
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
    free_ = blocks_.back().get();
  }
  char* const copy = free_;
  std::memcpy(copy, text.data(), text.size());
  free_ += text.size();
  left_ -= text.size();
  return {copy, text.size()};
}

void KeptTexts::Grow() {
  const std::vector<Slot> old = std::move(slots_);
  slots_.assign(std::max(kFirstSlots, old.size() * 2), Slot());
  for (const Slot& slot : old) {
    if (slot.number == kFree) continue;
    size_t at = slot.hash & (slots_.size() - 1);
    while (slots_[at].number != kFree) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

}  // namespace tfprof
