// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <mutex>
#include <span>
#include <vector>

#include "core/store/details.h"
#include "core/store/names.h"
#include "loaders/xspace/keys.h"
#include "loaders/xspace/stats.h"
#include "loaders/xspace/walk.h"
#include "proto/xplane_fields.h"

// Decodes the values of a key from the stats that a walk found.

namespace tfprof::xspace {

struct Value {
  ValueKind kind = ValueKind::absent;
  uint64_t bits = 0;
};

inline bool IsText(ValueKind kind) { return kind == ValueKind::text || kind == ValueKind::bytes; }

// A key and the stats of a plane that have its value; earlier ones take precedence.
struct RequestedKey {
  static constexpr size_t kMaxStats = std::size(Spelling{}.stats);

  Spelling spelling;
  std::array<uint8_t, kMaxStats> slots{};   // in StatSlots
  std::array<uint8_t, kMaxStats> places{};  // in the spelling
  size_t stats = 0;

  // Returns which of the stats has the value of an event, given the result of StatSlots; `stats`:
  // none.
  TFPROF_INLINE size_t Which(const uint32_t* found) const {
    size_t which = 0;
    while (which < stats && found[slots[which]] == 0) ++which;
    return which;
  }
  // REQUIRES: spelling.presence != nullptr.
  uint64_t Presence(size_t which) const { return spelling.presence[places[which]]; }
};
RequestedKey KeyFor(const Spelling& spelling, const StatNames& names, StatSlots* slots);

// Texts of a key that no stat metadata has; several threads add to them.
struct OwnTexts {
  std::mutex lock;
  Names names;
};

// Numbers of texts while values are read: the position of the stat metadata with this name, or an
// id in `own`, offset by the number of stat metadata.
class Texts {
 public:
  Texts(const StatNames& names, OwnTexts* own)
      : names_(&names), own_(own), is_used_(names.names.size()) {}

  TFPROF_INLINE uint32_t OfReference(uint64_t id);
  // Replaces many references in place.
  void OfReferences(std::span<uint64_t> ids);
  uint32_t Of(std::string_view text);
  // Returns all texts used here, each once, in an order that does not depend on other threads.
  std::vector<uint32_t> Used() const;

  const StatNames& names() const { return *names_; }

 private:
  const StatNames* names_;
  OwnTexts* own_;
  std::vector<uint8_t> is_used_;  // by position
  Names used_texts_;              // of own_, used here
  std::vector<uint32_t> used_text_ids_;
};

// Returns the value of the stat whose length is at `length`; for a text, its number. The stat may
// have changed since it was found: nothing after `end` is read as part of it.
TFPROF_INLINE Value ValueOf(const char* length, const char* end, Texts* texts);
Value ValueOfAny(const char* length, const char* end, Texts* texts);

// Parses the value of a key from its texts, once per text, if its spelling has a parser.
void ParseTexts(const Spelling& spelling, DetailColumn* column);

// Fast path for nearly all stats: a key of one or two bytes and an integer or a reference.
TFPROF_INLINE Value ValueOf(const char* length, const char* end, Texts* texts) {
  const uint64_t word = wire::Load64(length);  // length, tag and id, tag and value
  const uint64_t two = word >> 23 & 1;
  const uint64_t tag = word >> (24 + 8 * two) & 0xFF;
  const bool natural = tag == wire::Tag(field::XStat::uint64_value, wire::kVarint),
             integer = tag == wire::Tag(field::XStat::int64_value, wire::kVarint);
  const bool reference = tag == wire::Tag(field::XStat::ref_value, wire::kVarint);
  uint64_t bits = 0;
  const char* const after = wire::ReadVarint(length + 4 + two, &bits);
  const bool is_short =
      (word & 0xFF80) == uint64_t{wire::Tag(field::XStat::metadata_id, wire::kVarint)} << 8 &&
      (two & word >> 31) == 0 && after == length + 1 + (word & 0xFF);
  if (!is_short || !(natural || integer || reference)) [[unlikely]]
    return ValueOfAny(length, end, texts);
  if (!reference) return {natural ? ValueKind::natural : ValueKind::integer, bits};
  return {ValueKind::text, texts->OfReference(bits)};
}

TFPROF_INLINE uint32_t Texts::OfReference(uint64_t id) {
  const uint32_t place = names_->index.Find(static_cast<int64_t>(id));
  if (place == IdIndex::kNone) [[unlikely]]
    return Of("");  // a dangling reference
  is_used_[place] = 1;
  return place;
}

}  // namespace tfprof::xspace
