// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

// A printable text that is wider than `cells`, and the byte offsets, ascending, that must stay
// visible because the text differs there from similar ones. The text's size as an offset means its
// end.
struct WideText {
  std::string_view text;
  size_t cells = 0;
  std::vector<size_t> places;
};

// Returns the letters at those places and, while there is room, in this order: the last part of a
// path, the beginning of another name, the context of the places, the beginning. `…` replaces
// omitted text. `bare`: keeps only the letters at the places. Two texts that first differ at a
// place of both, and have the same places before it, then differ for sure.
std::string CutAround(const WideText& wide, bool utf8, bool bare);

}  // namespace tfprof
