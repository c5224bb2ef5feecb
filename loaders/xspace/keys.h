// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/store/details.h"

// Maps the keys of core/store/details.h to the stats of an XSpace.

namespace tfprof::xspace {

// A value parsed from a text: launch parameters have the form "regs:32 grid:160,1,1 block:256,1,1
// ...".
struct Parsed {
  ValueKind kind = ValueKind::absent;
  uint64_t bits = 0;
  std::string_view text;  // a part of the parsed text
};

struct Spelling {
  AttributeKey key = AttributeKey::work;
  // Names of stats with this value; if an event has several, the first one here counts.
  std::string_view stats[6];
  // Not null: the value is parsed from the texts of these stats.
  Parsed (*parse)(std::string_view text) = nullptr;
  // Not null: the value depends on which of the stats is present; for position i it is presence[i].
  const uint8_t* presence = nullptr;
};

// The stat of a range of the program, and of the work in ranges, that has the text of its
// operation; other stats and names have the characters alone that XProf reads.
inline constexpr std::string_view kRangePath = "range_path";

// Returns the spelling of a shared key, or of any stat by its name.
Spelling SpellingOf(DetailKey key);

}  // namespace tfprof::xspace
