// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/forms.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "loaders/io/source.h"

namespace tfprof::xspace {

// Learns a form at its second occurrence; single ones are not worth it.
void EventForms::Learn() {
  if (missed_.begin == nullptr) return;
  Form& form = forms_[missed_.key >> 56];
  Form made;
  if (form.seen == missed_.key && MakeForm(missed_, &made)) form = made;
  form.seen = missed_.key;
  missed_ = {};
}

// Makes a form only of stats that StatSlots::Find reads on its fast path.
bool EventForms::MakeForm(const Stats& of, Form* form) const {
  // Copies the stats: a form needs consistent bytes, and a mapped file may change.
  char stats[kMaxBytes + SourceFile::kPadding] = {};
  const size_t size = of.size;
  std::memcpy(stats, of.begin, size);
  for (size_t at = 0; at < size;) {
    if (size - at < 4 || stats[at] != wire::TagByte(field::XEvent::stats, wire::kBytes) ||
        stats[at + 1] < 2 ||
        stats[at + 2] != wire::TagByte(field::XStat::metadata_id, wire::kVarint)) {
      return false;
    }
    const size_t next = at + 2 + static_cast<size_t>(stats[at + 1]);
    const char* const after = wire::SkipVarint(stats + at + 3);
    if (next > size || after == nullptr || after >= stats + next) return false;
    // The byte after the id is the tag of the value. The bytes of the value encode its length.
    const auto value = static_cast<size_t>(after - stats) + 1;
    std::fill(form->mask + at, form->mask + value, uint8_t{0xFF});
    std::fill(form->mask + value, form->mask + next, uint8_t{0x80});
    at = next;
  }
  for (size_t i = 0; i < size; ++i) {
    form->bytes[i] = static_cast<uint8_t>(stats[i]) & form->mask[i];
  }
  std::vector<uint32_t> found(slots_->width());
  slots_->FindAny(stats, {stats, size}, wire::Tag(field::XEvent::stats, wire::kBytes),
                  found.data());
  for (size_t i = 0; i < keys_.size(); ++i) {
    form->places[i] = PlaceOf(keys_[i], stats, found.data());
  }
  form->size = size;
  return true;
}

EventForms::Place EventForms::PlaceOf(const RequestedKey& key, const char* stats,
                                      const uint32_t* found) const {
  const size_t which = key.Which(found);
  if (which == key.stats) return {};
  if (key.spelling.presence != nullptr) {
    return {.value = ValueKind::integer, .constant = key.Presence(which)};
  }
  const uint32_t length = found[key.slots[which]];
  const char* const tag = wire::SkipVarint(stats + length + 2);  // after the id
  const char* const value = tag + 1;
  const char* const end = wire::SkipVarint(value);
  const char* const stat_end = stats + length + 1 + stats[length];
  Place place{.kind = Place::Kind::any, .at = static_cast<uint8_t>(length)};
  if (tag >= stat_end || end != stat_end || end - value > 8) return place;
  const bool natural = *tag == wire::TagByte(field::XStat::uint64_value, wire::kVarint);
  const bool integer = *tag == wire::TagByte(field::XStat::int64_value, wire::kVarint);
  const bool reference = *tag == wire::TagByte(field::XStat::ref_value, wire::kVarint);
  if (!natural && !integer && !reference) return place;
  place.kind = reference ? Place::Kind::reference : Place::Kind::number;
  place.value = reference ? ValueKind::text : natural ? ValueKind::natural : ValueKind::integer;
  place.at = static_cast<uint8_t>(value - stats);
  place.mask = ~uint64_t{0} >> (64 - 8 * (end - value));
  return place;
}

}  // namespace tfprof::xspace
