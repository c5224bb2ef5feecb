// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/links.h"

#include <algorithm>
#include <iterator>

namespace tfprof {
namespace {

// Begins of categories, and of names, which XLA makes from the opcode: all-reduce-start.2.
constexpr std::string_view kOverLinks[] = {
    "all-gather",
    "all-reduce",
    "all-to-all",
    "collective-broadcast",
    "collective-permute",
    "host recv",
    "host send",
    "infeed",
    "outfeed",
    "ragged-all-to-all",
    "recv",
    "reduce-scatter",
    "send",
};
constexpr std::string_view kMayCopyFromHost[] = {"copy", "dynamic-slice", "dynamic-update-slice"};

constexpr std::string_view kInHostMemory = "S(5)";  // of a layout: xla/layout.h of openxla/xla

bool BeginsWithWord(std::string_view text, std::string_view word) {
  constexpr std::string_view kEnds = "-. ";
  return text.starts_with(word) &&
         (text.size() == word.size() || kEnds.find(text[word.size()]) != kEnds.npos);
}

template <size_t kSize>
bool BeginsWithAnyOf(std::string_view text, const std::string_view (&words)[kSize]) {
  return std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view word) { return BeginsWithWord(text, word); });
}

}  // namespace

bool MovesOverLinks(std::string_view category, std::string_view name, std::string_view text) {
  if (name.starts_with('%')) name.remove_prefix(1);
  if (BeginsWithAnyOf(category, kOverLinks) || BeginsWithAnyOf(name, kOverLinks)) return true;
  const bool may =
      BeginsWithAnyOf(category, kMayCopyFromHost) || BeginsWithAnyOf(name, kMayCopyFromHost);
  return may && text.find(kInHostMemory) != text.npos;
}

}  // namespace tfprof
