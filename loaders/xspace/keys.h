// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "core/store/details.h"

// How an XSpace spells the keys of core/store/details.h.

namespace tfprof::xspace {

// A value made of a text: launch parameters come as "regs:32 grid:160,1,1 block:256,1,1 ...".
struct Parsed {
  ValueKind kind = ValueKind::absent;
  uint64_t bits = 0;
  std::string_view text;  // a part of what was parsed
};

struct Spelling {
  std::string_view key;
  // Names of stats that tell it; of several that an event has, the first here.
  std::string_view stats[6];
  // Not null: the texts of these stats have the value in them.
  Parsed (*parse)(std::string_view text) = nullptr;
  // The value is told by which of the stats there is: of place i, presence[i].
  const uint8_t* presence = nullptr;
};

// A key of our own, or any stat by its name.
Spelling SpellingOf(std::string_view key);

}  // namespace tfprof::xspace
