// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

// A printable text that is wider than the `cells` it may take, and the bytes of it, ascending, that
// have to be seen: where it differs from texts that look like it. Its size stands for its end.
struct WideText {
  std::string_view text;
  size_t cells = 0;
  std::vector<size_t> places;
};

// The letters at those places and, as far as there is room, in this order: the last part of a path,
// the beginning of another name, what is around the places, the beginning. `…` stands for what is
// left out. Nothing of `bare` but those letters: texts that first differ in a place of both, and
// have the same places before it, then differ for sure.
std::string CutAround(const WideText& wide, bool utf8, bool bare);

}  // namespace tfprof
