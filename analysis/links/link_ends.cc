// SPDX-License-Identifier: Apache-2.0
#include "analysis/links/link_ends.h"

#include <algorithm>
#include <bit>

#include "core/base/sort_keys.h"

namespace tfprof {

// Numbers mostly count something, so they fit into few bits and are nearly sorted.
void SortEnds(LinkEnds* ends) {
  if (ends->size() < 2) return;
  int64_t least = ends->front().number, most = least;
  bool one_type = true;
  for (const LinkEnd& end : *ends) {
    least = std::min(least, end.number);
    most = std::max(most, end.number);
    one_type = one_type && end.type == ends->front().type;
  }
  const uint64_t span = static_cast<uint64_t>(most) - static_cast<uint64_t>(least);
  const auto place_bits = static_cast<int>(std::bit_width(ends->size() - 1));
  if (!one_type || static_cast<int>(std::bit_width(span)) + place_bits > 64) {
    std::sort(ends->begin(), ends->end(), [](const LinkEnd& a, const LinkEnd& b) {
      return std::tie(a.type, a.number, a.event) < std::tie(b.type, b.number, b.event);
    });
    return;
  }
  std::vector<uint64_t> keys, scratch;
  keys.reserve(ends->size());
  for (size_t i = 0; i < ends->size(); ++i) {
    const uint64_t number = static_cast<uint64_t>((*ends)[i].number) - static_cast<uint64_t>(least);
    keys.push_back(number << place_bits | i);
  }
  SortKeys(&keys, place_bits, &scratch);
  LinkEnds sorted;
  sorted.reserve(keys.size());
  for (const uint64_t key : keys) {
    sorted.push_back((*ends)[key & ((uint64_t{1} << place_bits) - 1)]);
  }
  ends->swap(sorted);
}

}  // namespace tfprof
