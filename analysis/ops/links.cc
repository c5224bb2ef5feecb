// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/links.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

#include "core/base/ascii.h"

namespace tfprof {
namespace {

// Prefixes of categories, and of names, which XLA derives from the opcode: all-reduce-start.2.
constexpr std::pair<std::string_view, Link> kOverLinks[] = {
    {"all-gather", Link::devices},
    {"all-reduce", Link::devices},
    {"all-to-all", Link::devices},
    {"collective-broadcast", Link::devices},
    {"collective-permute", Link::devices},
    {"host recv", Link::from_host},
    {"host send", Link::to_host},
    {"infeed", Link::from_host},
    {"outfeed", Link::to_host},
    {"ragged-all-to-all", Link::devices},
    {"recv", Link::devices},
    {"reduce-scatter", Link::devices},
    {"send", Link::devices},
};
// Prefixes of kernel names, case-insensitive.
constexpr std::string_view kLibraries[] = {"nccl", "rccl"};
constexpr std::string_view kMayCopyFromHost[] = {"copy", "dynamic-slice", "dynamic-update-slice"};

// By letter: one of the words above begins with it. Most names begin with another one.
constexpr std::array<bool, 256> MakeFirstLetters() {
  std::array<bool, 256> first{};
  for (const auto& [word, link] : kOverLinks) first[static_cast<uint8_t>(word[0])] = true;
  for (const std::string_view library : kLibraries) {
    first[static_cast<uint8_t>(library[0])] = true;
    first[static_cast<uint8_t>(library[0] - 'a' + 'A')] = true;
  }
  return first;
}
constexpr std::array<bool, 256> kFirstLetters = MakeFirstLetters();

constexpr std::string_view kInHostMemory = "S(5)";  // in a layout: xla/layout.h of openxla/xla

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

Link LinkOf(std::string_view name) {
  if (name.starts_with('%')) name.remove_prefix(1);
  if (name.empty() || !kFirstLetters[static_cast<uint8_t>(name[0])]) return Link::none;
  for (const auto& [word, link] : kOverLinks) {
    if (BeginsWithWord(name, word)) return link;
  }
  const bool is_library =
      std::any_of(std::begin(kLibraries), std::end(kLibraries),
                  [&](std::string_view library) { return BeginsWithAnyCase(name, library); });
  return is_library ? Link::devices : Link::none;
}

bool MovesOverLinks(std::string_view category, std::string_view name, std::string_view text) {
  if (LinkOf(category) != Link::none || LinkOf(name) != Link::none) return true;
  if (name.starts_with('%')) name.remove_prefix(1);
  const bool may =
      BeginsWithAnyOf(category, kMayCopyFromHost) || BeginsWithAnyOf(name, kMayCopyFromHost);
  return may && text.find(kInHostMemory) != text.npos;
}

}  // namespace tfprof
